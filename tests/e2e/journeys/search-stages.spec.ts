/**
 * The index in the browser, file by file: first results from the words, better ones from the meaning,
 * and what happens when files are slow, damaged or gone.
 */
import type { Page, Route } from '@playwright/test';
import { holdBack, tellConnection } from '../support/connection.js';
import { expect, test, title } from '../support/fixtures.js';
import {
  indexFiles,
  indexUrls,
  recordSearchFiles,
  searchLocally,
  useGoldenIndex,
} from '../support/searchIndex.js';
import { answerSearch, CORS, type SearchModal } from '../support/searchModal.js';

test.use({
  expectedErrors:
    /ERR_CONNECTION_REFUSED|ERR_FAILED|Failed to load resource|siftwren: (live search failed|search in the browser failed|search could not be prepared|results could not be refined)/,
});

const START = '/docs/overview/quickstart';
const MEANING = indexUrls('s', 'v', 'q');
const WORDS = indexUrls('t', 'w', 'n', 'x');
/** Has another order by meaning than by words alone, in the golden index. */
const QUERY = 'to be or not to be';

/** Longer than the page needs to put an answer on the screen. */
const SETTLED_MS = 500;

async function open(page: Page, search: SearchModal): Promise<void> {
  await page.goto(START);
  await search.open();
}

function texts(search: SearchModal): Promise<string[]> {
  return search.options.allTextContents();
}

/** Searches with the meaning held back; returns what was found and how to let the rest arrive. */
async function firstResults(page: Page, search: SearchModal) {
  const release = await holdBack(page, MEANING);
  await open(page, search);
  const asked = page.waitForRequest(MEANING);
  await search.searchFor(QUERY);
  await search.expectHits('offline');
  const first = await texts(search);
  await asked;
  return { first, release };
}

test.beforeEach(async ({ page }) => {
  await searchLocally(page);
});

test.describe('two stages', () => {
  test.beforeEach(async ({ page }) => {
    await useGoldenIndex(page);
  });

  test('first results do not wait for the meaning; it refines them, calmly', async ({
    page,
    search,
  }) => {
    const { first, release } = await firstResults(page, search);
    const list = await search.dialog.getByRole('listbox').elementHandle();
    release();
    await expect.poll(() => texts(search)).not.toEqual(first);
    // The list itself stays: nothing is taken away and put back.
    expect(await list?.evaluate((element) => element.isConnected)).toBe(true);
    await expect(search.options.first()).toHaveAttribute('aria-selected', 'true');
    // The next query needs no second look.
    const before = await texts(search);
    await search.searchFor(`${QUERY} `);
    await expect.poll(() => texts(search)).not.toEqual(before);
    const refined = await texts(search);
    await page.waitForTimeout(SETTLED_MS);
    expect(await texts(search)).toEqual(refined);
  });

  const HANDS: [string, (page: Page, search: SearchModal) => Promise<void>][] = [
    ['the selection was moved', (page) => page.keyboard.press('ArrowDown')],
    [
      'the pointer is over the list',
      async (page, search) => {
        await search.options.last().hover();
        await page.mouse.move(600, 300);
      },
    ],
    [
      'the list was scrolled',
      async (page, search) => {
        await search.options.first().hover();
        await page.mouse.wheel(0, 60);
        await page.mouse.move(5, 5);
      },
    ],
    [
      'the list is pressed',
      async (page, search) => {
        await search.options.first().hover();
        await page.mouse.down();
      },
    ],
  ];

  for (const [what, act] of HANDS) {
    test(`when ${what}, the list stays as it is`, async ({ page, search }) => {
      // Low enough for a list to scroll.
      await page.setViewportSize({ width: 1280, height: 420 });
      const { first, release } = await firstResults(page, search);
      await act(page, search);
      release();
      await page.waitForTimeout(SETTLED_MS);
      expect(await texts(search)).toEqual(first);
    });
  }

  for (const [what, fail] of [
    ['do not come', (route: Route) => route.abort()],
    ['are gone', (route: Route) => route.fulfill({ status: 404 })],
    ['are damaged', (route: Route) => route.fulfill({ body: 'damaged' })],
  ] as const) {
    test(`when the files of the meaning ${what}, the first results stay`, async ({
      page,
      search,
    }) => {
      let requests = 0;
      await page.route(MEANING, (route) => {
        requests += 1;
        return fail(route);
      });
      await open(page, search);
      await search.searchFor(QUERY);
      await search.expectHits('offline');
      const first = await texts(search);
      await expect.poll(() => requests).toBeGreaterThan(0);
      await page.waitForTimeout(SETTLED_MS);
      expect(await texts(search)).toEqual(first);
      // What could not be had rests: the next queries do not ask for it again.
      const before = requests;
      await search.searchFor('ranking');
      await search.expectHits('offline');
      await page.waitForTimeout(SETTLED_MS);
      expect(requests).toBe(before);
    });
  }

  test('with data saving on, the meaning is not fetched', async ({ page, search }) => {
    await tellConnection(page, { saveData: true, effectiveType: '4g' });
    const requests = recordSearchFiles(page);
    await open(page, search);
    await search.searchFor(QUERY);
    await search.expectHits('offline');
    await page.waitForTimeout(SETTLED_MS);
    expect(requests.filter((request) => MEANING.test(request.url()))).toEqual([]);
  });
});

test.describe('files of the words', () => {
  /** The core, and what the first query asks for beside it where there is anything. */
  const kinds = () =>
    indexFiles('t').length > 0 ? [indexUrls('core'), WORDS] : [indexUrls('core')];

  test('one that is damaged or lost on the way is fetched once more', async ({ page, search }) => {
    for (const url of kinds()) {
      for (const fail of [
        (route: Route) => route.fulfill({ body: 'damaged' }),
        (route: Route) => route.abort(),
        (route: Route) => route.fulfill({ status: 503 }),
      ]) {
        await page.route(url, fail, { times: 1 });
        await open(page, search);
        await search.searchFor('precision');
        await search.expectHits('offline');
        await page.unroute(url);
      }
    }
  });

  test('while they are slow the search says so, and takes the next query', async ({
    page,
    search,
  }) => {
    const release = await holdBack(page, indexUrls('core'));
    await open(page, search);
    await search.searchFor('recall');
    await expect(search.dialog.getByRole('status')).toHaveText('Searching…');
    await search.searchFor('precision');
    release();
    await search.expectHits('offline');
    await expect(search.selected).toContainText('Precision');
  });

  test('when they are gone for good the search says so, and does not go on asking', async ({
    page,
    search,
  }) => {
    await tellConnection(page, { effectiveType: '2g' });
    const requests = recordSearchFiles(page);
    await page.route(indexUrls('core'), (route) => route.fulfill({ status: 404 }));
    await open(page, search);
    await search.searchFor('precision');
    await expect(search.dialog.getByText('Unable to fetch results', { exact: true })).toBeVisible();
    const cores = () => requests.filter((request) => indexUrls('core').test(request.url())).length;
    const before = cores();
    await page.waitForTimeout(SETTLED_MS);
    expect(cores()).toBe(before);
    await page.unroute(indexUrls('core'));
    await search.searchFor('precision ');
    await search.expectHits('offline');
  });

  test('after an update of the site the new index is found, and the console says so', async ({
    page,
    search,
  }) => {
    const [core = ''] = indexFiles('core');
    const newest = core.replace(/[0-9a-f]{8}\.bin$/, '00000000.bin');
    const told: string[] = [];
    page.on('console', (message) => told.push(message.text()));
    await page.route(`**${newest}`, async (route) =>
      route.fulfill({ response: await route.fetch({ url: new URL(core, page.url()).href }) }),
    );
    await page.route(`**${core}`, (route) => route.fulfill({ status: 404 }));
    let asked = 0;
    await page.route('**/search.json', (route) => {
      asked += 1;
      return route.fulfill({ json: { index: asked === 1 ? core : newest } });
    });
    await open(page, search);
    await search.searchFor('precision');
    await search.expectHits('offline');
    expect(told.filter((text) => text.includes('search index was replaced'))).toHaveLength(1);
  });
});

test.describe('no results', () => {
  const nothing = (route: Route) => route.fulfill({ headers: CORS, json: { metadata: [] } });

  test('of the platform: the index proposes the word that was meant', async ({ page, search }) => {
    await answerSearch(page, nothing);
    await open(page, search);
    await search.searchFor('presicion');
    await expect(search.dialog.getByText('No results for “presicion”').first()).toBeVisible();
    const proposal = search.dialog.getByRole('button', { name: /precision/i });
    await expect(proposal.first()).toBeVisible();
    const text = (await proposal.first().textContent()) ?? '';
    await page.unrouteAll();
    await proposal.first().click();
    await expect(search.field).toHaveValue(text);
    await expect(search.field).toBeFocused();
    await search.expectHits('live');
    await expect(search.selected).toContainText('Precision');
  });

  test('a page that is near opens by key, without leaving the site', async ({ page, search }) => {
    await useGoldenIndex(page);
    await answerSearch(page, nothing);
    await open(page, search);
    await search.searchFor('mean recipricol rank');
    const near = search.dialog.getByRole('link').first();
    await expect(near).toBeVisible();
    const path = (await near.getAttribute('href')) ?? '';
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    for (let step = 0; step < 12; step += 1) {
      if (await near.evaluate((link) => link === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(near).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(path);
    await expect(search.dialog).toBeHidden();
    await expect(title(page)).toBeVisible();
    expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  });

  test('nonsense gets proposals that find something, from the index as well', async ({
    search,
    page,
  }) => {
    await open(page, search);
    await search.searchFor('zqxjkvw');
    await expect(search.dialog.getByText('No results for “zqxjkvw”').first()).toBeVisible();
    await search.dialog.getByRole('listitem').getByRole('button').first().click();
    await search.expectHits('offline');
  });
});

test.describe('in the background', () => {
  test('the first sign of a reader prepares the search: worker, module and core', async ({
    page,
    search,
  }) => {
    await tellConnection(page, { effectiveType: '4g' });
    const requests = recordSearchFiles(page);
    await page.goto(START);
    // Until then the application is fetched, and none of it runs.
    await expect(page.locator('link[rel=modulepreload]')).toBeAttached();
    expect(requests.map((request) => request.url())).toEqual([]);
    await page.mouse.wheel(0, 300);
    const fetched = (pattern: RegExp) => requests.some((request) => pattern.test(request.url()));
    await expect.poll(() => fetched(indexUrls('core')), { timeout: 15_000 }).toBe(true);
    await expect.poll(() => fetched(/\.wasm$/)).toBe(true);
    await expect.poll(() => fetched(/searchWorker/)).toBe(true);
    expect(fetched(MEANING)).toBe(false);
    await expect(search.dialog).toBeHidden();
    const before = requests.length;
    await search.open();
    await search.searchFor('precision');
    await search.expectHits('offline');
    const later = requests.slice(before).map((request) => request.url());
    expect(later.filter((url) => !WORDS.test(url) && !MEANING.test(url))).toEqual([]);
  });

  for (const value of [{ effectiveType: '2g' }, { effectiveType: '4g', saveData: true }]) {
    test(`nothing is prepared with ${JSON.stringify(value)}`, async ({ page }) => {
      await tellConnection(page, value);
      const requests = recordSearchFiles(page);
      await page.goto(START);
      await page.mouse.move(640, 40);
      await page.getByRole('banner').getByRole('button', { name: 'Search docs' }).hover();
      await page.waitForTimeout(4_000);
      expect(requests.map((request) => request.url())).toEqual([]);
    });
  }
});
