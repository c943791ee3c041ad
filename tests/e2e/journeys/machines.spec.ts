/** What programs read of the site: its map, its feed, its pages as Markdown and what their heads say. */
import { audit } from '../support/accessibility.js';
import { pagePaths } from '../support/builtSite.js';
import { expect, test } from '../support/fixtures.js';

const ORIGIN = 'https://docs.siftwren.example';
const INDEX = '/docs/a-z';
/** The start page is shown at two addresses, of which one counts. */
const COUNTED = pagePaths().filter((path) => path !== '/');

test('the map names every page, once, and nothing else', async ({ request }) => {
  const map = await (await request.get('/sitemap.xml')).text();
  const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
  expect(listed.sort()).toEqual(COUNTED.map((path) => ORIGIN + path).sort());
  const robots = await (await request.get('/robots.txt')).text();
  expect(robots).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
});

test('every page says where it is and has a picture that is there', async ({ page, request }) => {
  for (const path of COUNTED) {
    await page.goto(path);
    const canonical = await page.locator('link[rel="canonical"]').getAttribute('href');
    expect(canonical).toBe(ORIGIN + path);
    const image = await page.locator('meta[property="og:image"]').getAttribute('content');
    expect(image, path).toContain(`${ORIGIN}/cards/`);
    const picture = await request.get((image ?? '').slice(ORIGIN.length));
    expect(picture.status(), path).toBe(200);
    const bytes = await picture.body();
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.length, path).toBeLessThan(30_000);
    const json = await page.locator('script[type="application/ld+json"]').textContent();
    expect(JSON.parse(json ?? ''), path).toMatchObject({ '@context': 'https://schema.org' });
  }
});

test('the list for language models leads to the Markdown of the pages', async ({ request }) => {
  const list = await (await request.get('/llms.txt')).text();
  const files = [...list.matchAll(/\]\((https:[^)]+\.md)\)/g)].map(([, url = '']) => url);
  expect(files.length).toBeGreaterThan(15);
  for (const url of files) {
    const answer = await request.get(url.slice(ORIGIN.length));
    expect(answer.status(), url).toBe(200);
    expect(await answer.text(), url).toMatch(/^# \S/);
  }
  const all = await (await request.get('/llms-full.txt')).text();
  expect(all).toContain('# nDCG');
});

test('each reference of an API has its document beside it', async ({ page, request }) => {
  const list = await (await request.get('/llms.txt')).text();
  for (const path of ['/docs/api', '/docs/api/v2']) {
    await page.goto(path);
    const link = page.getByRole('link', { name: 'the OpenAPI document' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('openapi.yaml');
    const address = new URL(download.url()).pathname;
    expect(address).toBe(`${path}/openapi.yaml`);
    expect(await (await request.get(address)).text()).toMatch(/^openapi: 3/);
    expect(list).toContain(`${ORIGIN}${address}`);
  }
});

test('the links of a page as Markdown lead to Markdown', async ({ page, request }) => {
  await page.goto('/docs/metrics/ndcg');
  const file = await page
    .locator('link[rel="alternate"][type="text/markdown"]')
    .getAttribute('href');
  expect(file).toBe('/docs/metrics/ndcg.md');
  const text = await (await request.get(file ?? '')).text();
  const links = [...text.matchAll(/\]\((https:\/\/docs\.siftwren\.example[^)#]*)/g)];
  expect(links.length).toBeGreaterThan(2);
  for (const [, url = ''] of links) {
    expect((await request.get(url.slice(ORIGIN.length))).status(), url).toBe(200);
  }
});

test('the feed is found on the start page and names changed pages', async ({ page, request }) => {
  await page.goto('/docs');
  const href = await page.locator('link[type="application/rss+xml"]').getAttribute('href');
  const feed = await (await request.get(href ?? '')).text();
  // The policy of the site has no place for a parser.
  await page.goto('about:blank');
  const parsed = await page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, 'application/xml');
    return {
      errors: document.querySelectorAll('parsererror').length,
      items: document.querySelectorAll('item').length,
    };
  }, feed);
  expect(parsed.errors).toBe(0);
  expect(parsed.items).toBeGreaterThan(0);
});

for (const scheme of ['dark', 'light'] as const) {
  for (const width of [375, 996, 1440]) {
    test(`the page from A to Z, ${scheme}, ${width} px`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/docs/metrics/ndcg');
      await page.getByRole('contentinfo').getByRole('link', { name: 'All pages, A to Z' }).click();
      await expect(page).toHaveURL(INDEX);
      const article = page.getByRole('article');
      await expect(article.getByRole('heading', { level: 1 })).toHaveText('All pages, A to Z');
      for (const path of COUNTED.filter((each) => each !== '/docs' && each !== INDEX)) {
        await expect(article.locator(`a[href="${path}"]`).first(), path).toBeVisible();
      }
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await audit(page)).toEqual([]);
    });
  }
}
