/** The site without JavaScript: every page, its navigation, and every link on it. */
import type { Locator } from '@playwright/test';
import { pagePaths } from '../support/builtSite.js';
import { SITE_ORIGIN } from '../support/environment.js';
import { expect, test, title } from '../support/fixtures.js';

test.use({ javaScriptEnabled: false });

const HOME = '/docs';
const PAGES = pagePaths();
/** It lists the others, and is no part of their order. */
const INDEX = `${HOME}/a-z`;
const DOCS = PAGES.filter((path) => path.startsWith(`${HOME}/`) && path !== INDEX);

test('the pages of the first version are all there', () => {
  expect(PAGES).toContain(HOME);
  expect(DOCS).toContain('/docs/connectors/custom');
  expect(DOCS.filter((path) => path.startsWith('/docs/metrics/'))).toHaveLength(13);
  expect(DOCS.filter((path) => path.startsWith('/docs/overview/')).length).toBeGreaterThanOrEqual(
    6,
  );
});

test('every page has its text and its navigation', async ({ page }) => {
  for (const path of DOCS) {
    await test.step(path, async () => {
      const response = await page.goto(path);
      expect(response?.status()).toBe(200);

      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      const heading = await title(page).innerText();
      expect(heading).not.toBe('');
      await expect(page).toHaveTitle(`${heading} · siftwren`);
      // What is folded unfolds without a script, too.
      await page.locator('details').evaluateAll((all) => {
        for (const one of all) one.setAttribute('open', '');
      });
      const text = await page.getByRole('article').innerText();
      expect(text.split(/\s+/).length, 'words of text').toBeGreaterThan(100);

      const main = page.getByRole('navigation', { name: 'Main', exact: true });
      for (const name of ['Docs', 'Try For Free']) {
        await expect(main.getByRole('link', { name, exact: true })).toBeVisible();
      }
      const sections = page.getByRole('navigation', { name: 'Documentation' });
      for (const name of ['Overview', 'Metrics', 'Connectors']) {
        await expect(sections.getByRole('link', { name, exact: true }).first()).toBeVisible();
      }
      await expect(sections.locator('[aria-current=page]')).toHaveAttribute('href', path);
      await expect(page.getByRole('navigation', { name: 'Previous and next page' })).toBeVisible();
      await expect(page.getByRole('contentinfo')).toBeVisible();

      // What only a script could answer is not offered.
      await expect(page.getByRole('button')).toHaveCount(0);

      const blocks = await page.locator('pre').evaluateAll((all) =>
        (all as HTMLElement[]).map((block) => ({
          isVisible: block.checkVisibility() && block.innerText.trim() !== '',
          keepsLines: getComputedStyle(block).whiteSpaceCollapse === 'preserve',
          before: block.closest('.code')?.previousElementSibling?.textContent?.slice(0, 80) ?? '',
        })),
      );
      const unreadable = blocks.filter(({ isVisible, keepsLines }) => !isVisible || !keepsLines);
      expect.soft(unreadable, `code blocks of ${path} that cannot be read`).toEqual([]);
    });
  }
});

test('the start page leads to every section', async ({ page }) => {
  await page.goto(HOME);
  await expect(title(page)).toBeVisible();
  const links = await page
    .getByRole('main')
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
  const sections = new Set(DOCS.map((path) => path.split('/')[2]));
  for (const section of sections) {
    expect(
      links.some((link) => `${link}/`.startsWith(`${HOME}/${section}/`)),
      `section ${section}`,
    ).toBe(true);
  }
});

test('the page from A to Z leads to every page, and every page leads to it', async ({ page }) => {
  await page.goto(DOCS[0] ?? '');
  await page.getByRole('contentinfo').locator(`a[href="${INDEX}"]`).click();
  await expect(page).toHaveURL(INDEX);
  const links = await page
    .getByRole('article')
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
  expect(DOCS.filter((path) => !links.includes(path))).toEqual([]);
});

test('Next leads through all pages, and Previous back', async ({ page }) => {
  const order: string[] = [];
  await page.goto(DOCS[0] ?? '');
  const previous = page.getByRole('article').locator('a[rel=prev]');
  const next = page.getByRole('article').locator('a[rel=next]');
  const here = () => new URL(page.url()).pathname;
  /** Waits until the other page is read to its end: only then is a link that it lacks not there. */
  const follow = async (link: Locator) => {
    const target = (await link.getAttribute('href')) ?? '';
    await link.click();
    await page.waitForURL(target, { waitUntil: 'load' });
  };
  for (let steps = 0; steps < DOCS.length && (await previous.count()) > 0; steps += 1) {
    await follow(previous);
  }
  await expect(previous).toHaveCount(0);
  for (
    order.push(here());
    order.length <= DOCS.length && (await next.count()) > 0;
    order.push(here())
  ) {
    const before = here();
    const name = await next.innerText();
    await follow(next);
    expect(name).toContain(await title(page).innerText());
    await expect(previous).toHaveAttribute('href', before);
  }
  expect([...order].sort()).toEqual([...DOCS].sort());
});

test('on a phone the menu is a part of the page, and a link leads to it', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/docs/metrics/ndcg');
  await page.getByRole('link', { name: 'Go to the menu' }).click();
  const metrics = page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Recall', exact: true });
  await metrics.scrollIntoViewIfNeeded();
  await expect(metrics).toBeInViewport();
  await metrics.click();
  await expect(title(page)).toHaveText('Recall');
});

test('every link within the site leads somewhere, every anchor exists', async ({
  page,
  request,
}) => {
  const anchors = new Map<string, Set<string>>();
  const links: { from: string; to: URL }[] = [];
  for (const path of PAGES) {
    await page.goto(path);
    const found = await page.evaluate(() => ({
      ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
      urls: [...document.querySelectorAll('[href], [src]')].map((element) => {
        const { href, src } = element as HTMLAnchorElement & HTMLImageElement;
        return typeof href === 'string' ? href : src;
      }),
    }));
    expect(new Set(found.ids).size, `ids of ${path} are unique`).toBe(found.ids.length);
    anchors.set(path, new Set(found.ids));
    for (const url of found.urls) links.push({ from: path, to: new URL(url) });
  }

  const problems: string[] = [];
  const statuses = new Map<string, number>();
  for (const { from, to } of links.filter(({ to }) => to.origin === SITE_ORIGIN)) {
    const target = to.pathname + to.search;
    if (!statuses.has(target)) {
      statuses.set(target, (await request.get(target, { maxRedirects: 0 })).status());
    }
    if (statuses.get(target) !== 200) {
      problems.push(`${from}: ${target} is answered ${statuses.get(target)}`);
    }
    const id = decodeURIComponent(to.hash.slice(1));
    if (id !== '' && !anchors.get(to.pathname)?.has(id)) {
      problems.push(`${from}: ${to.pathname} has no #${id}`);
    }
  }
  expect(problems).toEqual([]);
  expect(statuses.size, 'links that were followed').toBeGreaterThan(PAGES.length);
});
