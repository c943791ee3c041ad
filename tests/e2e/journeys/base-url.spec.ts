/** The site below a path of its host, and the site where it was not built for. */
import { join } from 'node:path';
import { builtFile, pagePaths } from '../support/builtSite.js';
import { environment } from '../support/environment.js';
import { expect, nextPage, takenOver, test, title } from '../support/fixtures.js';
import { addressOf } from '../support/searchModal.js';
import type { Server } from '../support/server.js';
import { buildFor, type BuiltSite, serveBelow } from '../support/subPath.js';

test.describe('built for /docs-site/', () => {
  const BASE = '/docs-site';
  let site: BuiltSite;
  let server: Server;
  let origin: string;

  test.beforeAll(async () => {
    test.setTimeout(120_000);
    site = buildFor(`${BASE}/`);
    ({ server, origin } = await serveBelow(`${BASE}/`, site.dist));
  });
  test.afterAll(async () => {
    await server.stop();
    site.remove();
  });

  test('every page is there, with all that it loads, and its links stay below the path', async ({
    page,
  }) => {
    test.setTimeout(120_000);
    const loaded: string[] = [];
    const failed: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      loaded.push(pathname);
      if (!response.ok()) failed.push(`${response.status()} ${pathname}`);
    });
    for (const path of pagePaths()) {
      await page.goto(origin + BASE + path);
      await expect(title(page), path).toBeVisible();
      await expect(page.locator('.wrong-base').first()).toBeHidden();
      const links = await page
        .locator('#\\:app a[href]')
        .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      const leaving = links.filter(
        (href) => href.startsWith(origin) && !`${href}/`.startsWith(`${origin}${BASE}/`),
      );
      expect(leaving, path).toEqual([]);
    }
    expect(failed).toEqual([]);
    expect(loaded.filter((path) => !`${path}/`.startsWith(`${BASE}/`))).toEqual([]);
  });

  test('links change the page by its data, and a search leads to it', async ({ page, search }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${origin}${BASE}/docs/metrics/ndcg`);
    await takenOver(page);
    const target = (await nextPage(page).getAttribute('href')) ?? '';
    await nextPage(page).click();
    await expect(page).toHaveURL(origin + target);
    await expect(title(page)).not.toHaveText('nDCG');
    expect(asked).toContain(`${BASE}/fragments/pages${target.slice(BASE.length)}.json`);
    expect(asked).not.toContain(target);

    await search.open();
    await search.searchFor('recall');
    await expect(search.selected).toContainText('Recall');
    const hit = await addressOf(search.selected);
    expect(hit.pathname).toBe(`${BASE}/docs/metrics/recall`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(hit.href);
    await expect(title(page)).toHaveText('Recall');
    await page.goBack();
    await expect(page).toHaveURL(origin + target);
  });

  test.describe('a path without a page', () => {
    test.use({ expectedErrors: /status of 404/ });

    test('is the not-found page, which knows near ones', async ({ page }) => {
      await page.goto(`${origin}${BASE}/docs/metrik/ndgc`);
      await page.getByRole('main').getByRole('link', { name: 'nDCG', exact: true }).click();
      await expect(page).toHaveURL(`${origin}${BASE}/docs/metrics/ndcg`);
    });
  });

  test.describe('with its service worker', () => {
    test.use({ serviceWorkers: 'allow', expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ });

    test('every page and the search without a network, and nothing outside of the path', async ({
      page,
      context,
      search,
    }) => {
      test.setTimeout(120_000);
      await page.goto(`${origin}${BASE}/docs`);
      await expect(page.locator('html')).toHaveAttribute('data-offline', 'stored', {
        timeout: 20_000,
      });
      const scope = await page.evaluate(
        async () => (await navigator.serviceWorker.getRegistration())?.scope,
      );
      expect(scope).toBe(`${origin}${BASE}/`);
      await context.setOffline(true);
      for (const path of pagePaths()) {
        await page.goto(origin + BASE + path);
        // Not the page that stands in for those that are not stored.
        const [, built = ''] = /<title>(.*?)<\/title>/.exec(builtFile(join(path, 'index.html'))) ?? [];
        await expect(page, path).toHaveTitle(built);
      }
      await search.open();
      await search.searchFor('recall');
      await expect(search.selected).toContainText('Recall');
      const outside = await page.goto(`${origin}/docs`).catch(() => null);
      expect(outside).toBeNull();
    });
  });
});

test.describe('built for / and published below another path', () => {
  test.use({ expectedErrors: /status of 404|Refused to (apply|execute)/ });
  let server: Server;
  let origin: string;

  test.beforeAll(async () => {
    ({ server, origin } = await serveBelow('/team/', environment.SIFTWREN_TEST_DIST));
  });
  test.afterAll(() => server.stop());

  for (const path of ['/', '/docs', '/docs/metrics/ndcg', '/docs/metrics/ndcg/']) {
    test(`${path} says so, and leads to the base that it needs`, async ({ page }) => {
      await page.goto(`${origin}/team${path}`);
      const banner = page.locator('.wrong-base').first();
      await expect(banner).toBeVisible();
      await expect(banner).toContainText('This site did not load properly');
      await expect(banner).toBeInViewport();
      await page
        .getByRole('link', { name: path.endsWith('ndcg/') ? 'the base URL for an address that ends with a slash' : 'The base URL', exact: true })
        .click();
      await expect(page).toHaveURL(`${origin}/team/base.html`);
      await expect(page.locator('#found')).toContainText('base = "/team/"');
    });
  }
});

test('where the base is right, nothing is said of it', async ({ page }) => {
  await page.goto('/docs/metrics/ndcg');
  for (const part of await page.locator('.wrong-base').all()) await expect(part).toBeHidden();
  await page.goto('/base.html');
  await expect(page.locator('#found')).toContainText('the base URL is right');
});
