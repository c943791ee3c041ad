/** After one visit the site is there without a network: pages, links, search. */
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { builtFile, pagePaths } from '../support/builtSite.js';
import { expect, nextPage, takenOver, test, title } from '../support/fixtures.js';
import { indexFiles, indexUrls } from '../support/searchIndex.js';
import { addressOf, RETRIEVE_URL } from '../support/searchModal.js';

test.use({
  serviceWorkers: 'allow',
  // Without a network each call that is not answered from the cache is reported by the browser.
  expectedErrors:
    /ERR_INTERNET_DISCONNECTED|ERR_FAILED|siftwren: (live search failed|results could not be refined)/,
});

/** One visit, as long as the whole site needs to be stored. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('contentinfo')).toContainText('Available offline', {
    useInnerText: true,
    timeout: 15_000,
  });
}

async function disconnect(context: BrowserContext, page: Page): Promise<void> {
  await context.setOffline(true);
  const answers = await page.evaluate(() =>
    fetch(`/not-in-any-cache-${Math.random()}`).then(
      () => true,
      () => false,
    ),
  );
  expect(answers, 'the network is really off').toBe(false);
}

test('what has nothing to do without a network is not stored', async ({ page }) => {
  await visit(page, '/docs/metrics/ndcg');
  const stored = await page.evaluate(async () => {
    const caches = await Promise.all((await self.caches.keys()).map((name) => self.caches.open(name)));
    const requests = await Promise.all(caches.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(stored.filter((path) => /^\/assets\/search-/.test(path))).not.toEqual([]);
  expect(stored.filter((path) => /^\/assets\/(api|analytics|wrong-base)\b/.test(path))).toEqual([]);
});

test('what is stored is said before the application is there, and stays when it takes the page over', async ({
  page,
}) => {
  await visit(page, '/docs/metrics/ndcg');
  const footer = page.getByRole('contentinfo');
  await takenOver(page);
  await expect(footer).toContainText('Available offline', { useInnerText: true });
  await nextPage(page).click();
  await expect(page).not.toHaveURL(/ndcg/);
  await expect(footer).toContainText('Available offline', { useInnerText: true });

  // In colour too, where nothing else has it.
  await page.goto('/');
  await expect(footer).toContainText('Available offline', { useInnerText: true });
  const sign = page.locator('[data-offline-state]');
  const colour = () => sign.evaluate((said) => getComputedStyle(said, '::before').backgroundColor);
  await expect.poll(colour).toMatch(/^oklch/);
});

test('network off: reload, a page never visited, search, all work', async ({
  page,
  context,
  search,
}) => {
  await visit(page, '/docs/overview/quickstart');
  await disconnect(context, page);

  await page.reload();
  await expect(title(page)).toHaveText('Quickstart');
  await takenOver(page);

  await page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Metrics' })
    .click();
  await expect(page).toHaveURL(/\/docs\/metrics\//);
  await expect(page.getByRole('article')).toBeVisible();

  await page.goto('/docs/connectors/custom');
  await expect(title(page)).toHaveText('Custom dataset (push API)');
  expect((await page.getByRole('article').innerText()).length).toBeGreaterThan(1_000);

  await search.open();
  await search.searchFor('precision');
  await search.expectHits('offline');
  await expect(search.selected).toContainText('Precision');
  const target = await addressOf(search.selected);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(target.href);
  await expect(title(page)).toBeVisible();
});

test('the words of the index are stored with the site; what they find needs nothing else', async ({
  page,
  context,
  search,
}) => {
  await visit(page, '/docs/overview/quickstart');
  const stored = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map((request) => new URL(request.url).pathname);
  });
  for (const kind of ['core', 't', 'w', 'n', 'x']) {
    for (const file of indexFiles(kind)) expect(stored).toContain(file);
  }
  expect(stored.filter((file) => indexUrls('s', 'v', 'q').test(file))).toEqual([]);

  await disconnect(context, page);
  await page.reload();
  const failed: string[] = [];
  page.on('requestfailed', (request) => failed.push(request.url()));
  await search.open();
  for (const query of ['ndgc', 'how good is my ranking', 'x-api-key']) {
    await search.searchFor(query);
    await search.expectHits('offline');
    await page.waitForTimeout(300);
  }
  await search.searchFor('zqxjkvw');
  await expect(search.dialog.getByRole('listitem').first()).toBeVisible();
  expect(failed.filter((url) => url !== RETRIEVE_URL)).toEqual([]);
});

test('a stored file of the index that is damaged is replaced from the server', async ({
  page,
  context,
  search,
}) => {
  await visit(page, '/docs/overview/quickstart');
  const [core = ''] = indexFiles('core');
  const storedLength = (damage: boolean) =>
    page.evaluate(
      async ({ core, damage }) => {
        const cache = await caches.open(
          (await caches.keys()).find((name) => name.startsWith('siftwren-build-')) ?? '',
        );
        if (damage) await cache.put(core, new Response('damaged'));
        return (await (await cache.match(core))?.arrayBuffer())?.byteLength ?? 0;
      },
      { core, damage },
    );
  const length = await storedLength(false);
  expect(await storedLength(true)).toBe('damaged'.length);
  await page.reload();
  await page.route(RETRIEVE_URL, (route) => route.abort());
  await search.open();
  await search.searchFor('precision');
  await search.expectHits('offline');
  expect(await storedLength(false)).toBe(length);

  await disconnect(context, page);
  await page.reload();
  await search.open();
  await search.searchFor('precision');
  await search.expectHits('offline');
});

test('what the search has used of the meaning is kept', async ({ page, search }) => {
  await visit(page, '/docs/overview/quickstart');
  await page.reload();
  await page.route(RETRIEVE_URL, (route) => route.abort());
  await search.open();
  await search.searchFor('precision');
  await search.expectHits('offline');
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const name = (await caches.keys()).find((key) => key.startsWith('siftwren-visited-'));
        if (name === undefined) return 0;
        const stored = await (await caches.open(name)).keys();
        return stored.filter(({ url }) => /assets\/search\/[svq]/.test(url)).length;
      }),
    )
    .toBeGreaterThan(0);
});

test('every page of the site is there, and the search finds it', async ({
  page,
  context,
  search,
}) => {
  test.setTimeout(120_000);
  await visit(page, '/docs');
  await disconnect(context, page);
  const headings = new Map<string, string>();
  for (const path of pagePaths()) {
    await page.goto(path);
    const [, built] = /<title>(.*?)<\/title>/.exec(builtFile(join(path, 'index.html'))) ?? [];
    await expect(page, path).toHaveTitle(built ?? '');
    headings.set(path, await title(page).innerText());
  }
  // Those that lead to others are not in the index.
  for (const path of ['/', '/docs', '/docs/a-z']) headings.delete(path);
  await search.open();
  for (const [path, heading] of headings) {
    await search.searchFor(heading);
    await expect(search.dialog.locator(`[role=option][href^="${path}"]`).first(), path).toBeVisible();
  }
  await search.expectHits('offline');
});

test.describe('an address without a page', () => {
  test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 404/ });

  test('is one that never was, where the whole site is stored, and near ones are known', async ({
    page,
    context,
  }) => {
    await visit(page, '/docs/overview/quickstart');
    await disconnect(context, page);
    expect((await page.goto('/docs/metrics/ndgc'))?.status()).toBe(404);
    await expect(title(page)).toHaveText('Page not found');
    await expect(page.getByRole('main')).toContainText('/docs/metrics/ndgc');
    await page.getByRole('main').getByRole('link', { name: 'nDCG', exact: true }).click();
    await expect(title(page)).toHaveText('nDCG');
  });

  test('may be one that is not stored, where a part of the site is, and so may a file', async ({
    page,
    context,
  }) => {
    await visit(page, '/docs/overview/quickstart');
    await disconnect(context, page);
    await page.goto('/docs/handbook.pdf');
    await expect(title(page)).toHaveText('You are offline');
    await page.evaluate(async () => {
      const name = (await caches.keys()).find((key) => key.startsWith('siftwren-build-')) ?? '';
      await (await caches.open(name)).delete('/docs/metrics/recall');
    });
    for (const path of ['/docs/metrics/ndgc', '/docs/metrics/recall']) {
      await page.goto(path);
      await expect(title(page)).toHaveText('You are offline');
    }
  });
});

test('search comes back to the platform with the network', async ({ page, context, search }) => {
  await visit(page, '/docs/overview/quickstart');
  await page.reload();
  await search.open();
  await search.searchFor('recall');
  await search.expectHits('live');

  await disconnect(context, page);
  await search.searchFor('precision');
  await search.expectHits('offline');

  await context.setOffline(false);
  await page.keyboard.press('Escape');
  await search.open();
  await search.searchFor('coverage');
  await search.expectHits('live');
});

test('the theme and a page of a moment ago survive without the network', async ({
  page,
  context,
}) => {
  await visit(page, '/docs/metrics/ndcg');
  await page.getByRole('button', { name: 'Switch to light mode' }).click();
  await disconnect(context, page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Switch to dark mode' })).toBeVisible();
  await takenOver(page);
  await nextPage(page).click();
  await expect(title(page)).not.toHaveText('nDCG');
  await page.goBack();
  await expect(title(page)).toHaveText('nDCG');
});
