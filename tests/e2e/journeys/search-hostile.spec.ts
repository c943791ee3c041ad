/** Whatever the search call is answered, nothing of it runs and the modal stays usable. */
import type { Page, Route } from '@playwright/test';
import { expect, test, title } from '../support/fixtures.js';
import {
  addressOf,
  answerSearch,
  CORS,
  RETRIEVE_URL,
  type SearchModal,
} from '../support/searchModal.js';

// The search reports each bad answer on the console, and so does the browser for an error status.
test.use({
  expectedErrors:
    /siftwren: live (search failed|results could not be read)|Failed to load resource/,
});

const START = '/docs/overview/quickstart';
const RUN = 'globalThis.__ran = true';

const MARKUP = [
  `<img src=x onerror="${RUN}">`,
  `<script>${RUN}</script>`,
  `<svg onload="${RUN}"><animate onbegin="${RUN}" attributeName=x></svg>`,
  `"><iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<math><mtext></p><style><img src=x onerror="${RUN}">`,
];

/** Addresses that lead off the site, or would run something. */
const ADDRESSES = [
  `javascript:${RUN}`,
  `\tjava\nscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  'https://elsewhere.example/docs',
  '//elsewhere.example/docs',
  '/\\elsewhere.example/docs',
  '/\t/elsewhere.example/docs',
  '\\\\elsewhere.example',
  'vbscript:x',
  '/docs/%2e%2e/%2e%2e//elsewhere.example',
];

function json(body: unknown) {
  return (route: Route) => route.fulfill({ headers: CORS, json: body });
}

function text(body: string, contentType = 'application/json') {
  return (route: Route) => route.fulfill({ headers: CORS, contentType, body });
}

function status(code: number, headers: Record<string, string> = {}) {
  return (route: Route) =>
    route.fulfill({ status: code, headers: { ...CORS, ...headers }, json: { detail: MARKUP[0] } });
}

/** The reader goes on: the next query, answered properly, shows its hits. */
async function expectUsable(page: Page, search: SearchModal): Promise<void> {
  expect(await page.evaluate(() => '__ran' in globalThis)).toBe(false);
  await page.unroute(RETRIEVE_URL);
  await search.searchFor('recall');
  await search.expectHits('live');
  await expect(search.selected).toContainText(/recall/i);
}

test.beforeEach(async ({ page, search }) => {
  page.on('dialog', (dialog) => {
    throw new Error(`a dialog was opened: ${dialog.message()}`);
  });
  await page.goto(START);
  await search.open();
});

test('markup in any field is text', async ({ page, search }) => {
  for (const markup of MARKUP) {
    await answerSearch(
      page,
      json({
        metadata: [
          {
            item_id: markup,
            url: `/docs/metrics/ndcg#${markup}`,
            folder: markup,
            header_1: markup,
            header_2: markup,
            header_3: markup,
            header_4: markup,
          },
        ],
      }),
    );
    await search.searchFor(`img onerror script ${markup}`.slice(0, 500));
    await expect(search.selected).toContainText(markup);
    await expect(search.options).toHaveCount(1);
    const elements = await search.dialog
      .getByRole('listbox')
      .evaluate((list) => [
        ...new Set([...list.querySelectorAll('*')].map((one) => one.localName)),
      ]);
    expect(elements.sort().join(' ')).toMatch(/^[a-z ]+$/);
    for (const name of ['img', 'script', 'iframe', 'math', 'style', 'animate']) {
      expect(elements).not.toContain(name);
    }
    await page.unroute(RETRIEVE_URL);
  }
  await expectUsable(page, search);
});

test('no address leads off the site', async ({ page, search, context }) => {
  for (const address of ADDRESSES) {
    await answerSearch(
      page,
      json({
        metadata: [
          { item_id: 'bad', url: address, folder: 'Bad', header_1: 'Bad' },
          { item_id: 'good', url: '/docs/metrics/recall', folder: 'Good', header_1: 'Good' },
        ],
      }),
    );
    await search.searchFor(`good ${ADDRESSES.indexOf(address)}`);
    await expect(search.dialog.getByRole('option', { name: 'Good' })).toBeVisible();
    await expect(search.dialog.getByRole('status')).toHaveText(/^[12] results?$/);
    for (const option of await search.options.all()) {
      const url = await addressOf(option);
      expect(url.origin, `${JSON.stringify(address)} became ${url.href}`).toBe(
        new URL(page.url()).origin,
      );
    }
    await page.unroute(RETRIEVE_URL);
  }
  await page.keyboard.press('Enter');
  await expect(search.dialog).toBeHidden();
  expect(new URL(page.url()).hostname).toBe('127.0.0.1');
  expect(context.pages()).toHaveLength(1);
  await search.open();
  await expectUsable(page, search);
});

test('an anchor that no page has, or that is no proper text, opens its page', async ({
  page,
  search,
}) => {
  for (const anchor of ['no-such-anchor', '%', '%E0%A4%A', '"><b>', 'a b']) {
    await answerSearch(
      page,
      json({
        metadata: [
          { item_id: 'a', url: `/docs/metrics/recall#${anchor}`, folder: 'F', header_1: 'H' },
        ],
      }),
    );
    await search.searchFor(`anchor ${anchor}`);
    await expect(search.options).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(title(page)).toHaveText('Recall');
    // The page scrolls to the anchor 100 ms after it is there.
    await page.waitForTimeout(200);
    await page.goto(START);
    await search.open();
    await page.unroute(RETRIEVE_URL);
  }
  await expectUsable(page, search);
});

const NO_RESULTS: [string, (route: Route) => Promise<void>][] = [
  ['metadata is null', json({ metadata: null })],
  ['metadata is missing', json({ ids: ['a'] })],
  ['metadata is an object', json({ metadata: { length: 3, 0: {} } })],
  ['metadata is text', json({ metadata: 'abc' })],
  ['the answer is a list', json([1, 2, 3])],
  ['the answer is null', json(null)],
  [
    'every row has wrong types',
    json({ metadata: [null, 1, 'x', [], true, { url: 5 }, { url: null }, { url: {} }, [{}]] }),
  ],
];

test('an answer without usable rows is one without results', async ({ page, search }) => {
  for (const [what, answer] of NO_RESULTS) {
    await test.step(what, async () => {
      await answerSearch(page, answer);
      await search.searchFor('precision');
      await expect(search.dialog.getByText('No results for “precision”').first()).toBeVisible();
      await expectUsable(page, search);
    });
  }
});

const FALLBACK: [string, (route: Route) => Promise<void>][] = [
  ['HTML comes instead of JSON', text('<!doctype html><h1>Sign in</h1>', 'text/html')],
  ['the JSON breaks off', text('{"metadata":[{"url":"/docs/met')],
  ['the answer is empty', text('')],
  ['the answer is 5 MB of one string', text(`{"metadata":[{"url":"/${'a'.repeat(5_000_000)}"}]}`)],
  ['the answer is 500', status(500)],
  ['the answer is 401', status(401)],
  ['the answer is 429', status(429, { 'retry-after': '120' })],
  ['the answer leads elsewhere', status(302, { location: 'https://elsewhere.example/' })],
  ['the connection breaks', (route) => route.abort('connectionreset')],
];

test('the index in the browser answers when the platform does not answer properly', async ({
  page,
  search,
}) => {
  for (const [what, answer] of FALLBACK) {
    await test.step(what, async () => {
      await answerSearch(page, answer);
      await search.searchFor('precision');
      await search.expectHits('offline');
      await expect(search.selected).toContainText('Precision');
      // Opening the search anew ends the rest that a host gets after it could not be reached.
      await page.unroute(RETRIEVE_URL);
      await page.keyboard.press('Escape');
      await expect(search.dialog).toBeHidden();
      await search.open();
      await expectUsable(page, search);
    });
  }
});

test('ten of ten thousand rows are shown', async ({ page, search }) => {
  const metadata = Array.from({ length: 10_000 }, (_, index) => ({
    item_id: String(index),
    url: `/docs/metrics/ndcg-${index}`,
    folder: `Folder ${index % 3}`,
    header_1: 'Many',
  }));
  await answerSearch(page, json({ metadata }));
  await search.searchFor('many');
  await expect(search.dialog.getByRole('status')).toHaveText('10 results');
  await expectUsable(page, search);
});

test('strange texts are shown as they are, cut where they are endless', async ({
  page,
  search,
}) => {
  const strange = ['\u0000\u0001', '\ud800', '\u202eabc', 'İİİ', '👩‍👩‍👧‍👦', 'x'.repeat(100_000)];
  await answerSearch(
    page,
    json({
      metadata: strange.map((header_1, index) => ({
        item_id: 'same',
        url: `/docs/metrics/ndcg-${index}`,
        folder: `F${index}`,
        header_1,
        header_2: header_1,
      })),
    }),
  );
  await search.searchFor('strange abc İİİ');
  await expect(search.options).toHaveCount(strange.length);
  await expect(search.dialog).toBeInViewport();
  const { scrollWidth, clientWidth } = await search.dialog.evaluate((dialog) => ({
    scrollWidth: dialog.scrollWidth,
    clientWidth: dialog.clientWidth,
  }));
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  await expectUsable(page, search);
});
