/** The modal itself: keys, focus, recent searches, screens, limits. */
import { pagePaths } from '../support/builtSite.js';
import { expect, test } from '../support/fixtures.js';
import { addressOf, answerSearch, CORS, recordSearchCalls } from '../support/searchModal.js';

const START = '/docs/overview/quickstart';

test.beforeEach(async ({ page }) => {
  await page.goto(START);
});

test('Escape closes it and gives the focus back', async ({ page, search }) => {
  const button = page.getByRole('banner').getByRole('button', { name: 'Search docs' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(search.field).toBeFocused();
  await search.searchFor('ndcg');
  await search.expectHits('live');
  await page.keyboard.press('Escape');
  await expect(search.dialog).toBeHidden();
  await expect(button).toBeFocused();
});

test('Ctrl+K closes it again, and so do the Close button and a click beside it', async ({
  page,
  search,
}) => {
  await search.open();
  await page.keyboard.press('Control+k');
  await expect(search.dialog).toBeHidden();
  await page.keyboard.press('Control+k');
  await search.dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(search.dialog).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(search.dialog).toBeVisible();
  await page.mouse.click(20, 780);
  await expect(search.dialog).toBeHidden();
});

test('a slash typed into the field is text', async ({ page, search }) => {
  await search.open();
  await page.keyboard.type('a/b');
  await expect(search.field).toHaveValue('a/b');
});

for (const [keys, place] of [
  ['Control+Enter', 'tab'],
  ['Shift+Enter', 'window'],
] as const) {
  test(`${keys} opens the hit in a new ${place} and keeps the modal`, async ({
    page,
    context,
    search,
  }) => {
    await search.open();
    await search.searchFor('precision');
    await search.expectHits('live');
    const target = await addressOf(search.selected);
    // Not every browser has tabs: what the site asks for is what counts.
    await page.evaluate(() => {
      const { open } = window;
      window.open = (url, name, features) => {
        document.documentElement.dataset.opened = features;
        return open.call(window, url, name, features);
      };
    });
    const opened = context.waitForEvent('page');
    await page.keyboard.press(keys);
    const other = await opened;
    await expect(other).toHaveURL(target.href);
    expect(await other.evaluate(() => window.opener === null)).toBe(true);
    const features = await page.locator('html').getAttribute('data-opened');
    expect(features?.split(',').includes('popup')).toBe(place === 'window');
    await expect(search.dialog).toBeVisible();
    await expect(page).toHaveURL(START);
  });
}

test('recent searches: none, then the hits that were opened, until they are removed', async ({
  page,
  search,
}) => {
  const titles: string[] = [];
  for (const query of ['recall', 'coverage']) {
    await search.open();
    await search.searchFor('');
    if (titles.length === 0) {
      await expect(search.dialog.getByText('No recent searches')).toBeVisible();
    }
    await search.searchFor(query);
    await search.expectHits('live');
    await expect(search.selected).toContainText(new RegExp(query, 'i'));
    titles.push((await addressOf(search.selected)).href);
    await page.keyboard.press('Enter');
    await expect(search.dialog).toBeHidden();
  }

  // Another visit, where the page knows nothing but what the browser has kept.
  await page.goto(START);
  await search.open();
  await expect(search.dialog.getByRole('group', { name: 'Recent searches' })).toBeVisible();
  await expect(search.options).toHaveCount(2);
  expect((await addressOf(search.options.first())).href).toBe(titles[1]);
  expect((await addressOf(search.options.last())).href).toBe(titles[0]);

  await search.dialog
    .getByRole('button', { name: /^Remove .* from recent searches$/ })
    .first()
    .click();
  await expect(search.options).toHaveCount(1);
  await expect(search.field).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(titles[0] ?? '');

  await search.open();
  await search.dialog.getByRole('button', { name: /^Remove .* from recent searches$/ }).click();
  await expect(search.dialog.getByText('No recent searches')).toBeVisible();
  await page.reload();
  await search.open();
  await expect(search.dialog.getByText('No recent searches')).toBeVisible();
});

test('the seven newest recent searches are kept', async ({ page, search }) => {
  const pages = pagePaths().filter((path) => path.startsWith('/docs/metrics/'));
  const metadata = pages.slice(0, 9).map((url, index) => ({
    item_id: String(index),
    url,
    folder: `Section ${index}`,
    header_1: `Page ${index}`,
  }));
  await answerSearch(page, (route) => route.fulfill({ headers: CORS, json: { metadata } }));
  await search.open();
  await search.searchFor('page');
  await expect(search.options).toHaveCount(9);
  for (let index = 0; index < 9; index += 1) {
    await Promise.all([
      page
        .context()
        .waitForEvent('page')
        .then((opened) => opened.close()),
      page.keyboard.press('Control+Enter'),
    ]);
    await page.keyboard.press('ArrowDown');
  }
  await search.searchFor('');
  await expect(search.options).toHaveText(
    [8, 7, 6, 5, 4, 3, 2].map((index) => new RegExp(`Page ${index}`)),
  );
});

test('nonsense gets the screen without results, and its suggestions find something', async ({
  search,
}) => {
  await search.open();
  await search.searchFor('zqxjkvw');
  await expect(search.dialog.getByText('No results for “zqxjkvw”').first()).toBeVisible();
  await expect(search.options).toHaveCount(0);
  const suggestion = search.dialog.getByRole('listitem').getByRole('button').first();
  const text = (await suggestion.textContent()) ?? '';
  await suggestion.click();
  await expect(search.field).toHaveValue(text);
  await expect(search.field).toBeFocused();
  await search.expectHits('live');
});

test('a query of spaces asks nothing', async ({ page, search }) => {
  const calls = recordSearchCalls(page);
  await search.open();
  await search.searchFor('   ');
  await expect(search.dialog.getByText('No recent searches')).toBeVisible();
  await search.searchFor('recall');
  await search.expectHits('live');
  expect(calls).toHaveLength(1);
});

test('at most 512 characters are searched for', async ({ page, search }) => {
  const calls = recordSearchCalls(page);
  await search.open();
  await page.keyboard.insertText('recall '.repeat(100));
  await expect(search.field).toHaveValue('recall '.repeat(100).slice(0, 512));
  await search.expectHits('live');
  for (const call of calls) {
    const { text_query } = call.postDataJSON() as { text_query: string };
    expect(text_query.length).toBeLessThanOrEqual(512);
  }
});

test('matching words are marked; stop words are not', async ({ search }) => {
  await search.open();
  await search.searchFor('what is the precision');
  await search.expectHits('live');
  const marks = await search.options.locator('mark').allTextContents();
  expect(marks.length).toBeGreaterThan(0);
  for (const mark of marks) expect(mark.toLowerCase()).toContain('precision');
});

test('hits are grouped by section and by page, five of each at most', async ({ page, search }) => {
  const row = (folder: string, header_1: string, index: number) => ({
    item_id: `${header_1}-${index}`,
    url: `/docs/metrics/${header_1}#${index}`,
    folder,
    header_1,
    header_2: `Part ${index}`,
  });
  await answerSearch(page, (route) =>
    route.fulfill({
      headers: CORS,
      json: {
        metadata: [
          row('Metrics', 'nDCG', 1),
          row('Overview', 'Welcome', 1),
          row('Metrics', 'nDCG', 2),
          row('Metrics', 'Recall', 1),
          row('Metrics', 'nDCG', 3),
          row('Metrics', 'Recall', 2),
          row('Metrics', 'Recall', 3),
          row('Metrics', 'Recall', 4),
          row('Overview', 'Welcome', 2),
        ],
      },
    }),
  );
  await search.open();
  await search.searchFor('anything');
  const groups = search.dialog.getByRole('listbox', { name: 'Results' }).getByRole('group');
  await expect(groups).toHaveCount(2);
  await expect(groups.nth(0)).toHaveAccessibleName('Metrics');
  await expect(groups.nth(1)).toHaveAccessibleName('Overview');
  await expect(groups.nth(0).getByRole('option')).toHaveText([
    /nDCG.*Part 1/,
    /nDCG.*Part 2/,
    /nDCG.*Part 3/,
    /Recall.*Part 1/,
    /Recall.*Part 2/,
  ]);
  await expect(groups.nth(1).getByRole('option')).toHaveText([
    /Welcome.*Part 1/,
    /Welcome.*Part 2/,
  ]);
});

test('what a screen reader finds in the open search', async ({ search }) => {
  await search.open();
  await search.searchFor('recall');
  await search.expectHits('live');
  await expect(search.dialog).toMatchAriaSnapshot(`
    - dialog "Search docs":
      - combobox "Search docs" [expanded]
      - button "Clear the query"
      - button "Close"
      - listbox "Results":
        - group "Metrics":
          - option /Recall/ [selected]
      - status: /\\d+ results?/
  `);
});

test('a snippet has ten words, and five on a narrow screen', async ({ page, search }) => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');
  await answerSearch(page, (route) =>
    route.fulfill({
      headers: CORS,
      json: {
        metadata: [
          { item_id: 'a', url: '/docs', folder: 'Metrics', header_1: 'Title', header_2: words },
        ],
      },
    }),
  );
  await search.open();
  for (const [width, expected] of [
    [1280, 10],
    [769, 10],
    [768, 5],
    [375, 5],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await search.searchFor(`word${width % 37}`);
    await expect
      .poll(
        async () => ((await search.options.first().textContent()) ?? '').match(/word\d+/g)?.length,
      )
      .toBe(expected);
  }
});

test('Tab stays inside, and the page behind does not scroll', async ({ page, search }) => {
  await search.open();
  await search.searchFor('ndcg');
  await search.expectHits('live');
  for (const key of [...Array(8).fill('Tab'), ...Array(8).fill('Shift+Tab')] as string[]) {
    await page.keyboard.press(key);
    // After its last control a browser leaves the dialog for its own bars, never for the page.
    const place = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement === document.body || activeElement?.closest('dialog') !== null;
    });
    expect(place, `after ${key}`).toBe(true);
  }
  const before = await page.evaluate(() => window.scrollY);
  for (const [x, y] of [
    [20, 700],
    [640, 300],
  ] as const) {
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 600);
  }
  await page.waitForTimeout(200);
  expect(await page.evaluate(() => window.scrollY)).toBe(before);
});

test('what the browser has stored may be nonsense', async ({ page, search }) => {
  for (const stored of [
    '{',
    '"text"',
    '[null, 7, {"pathname": 3}]',
    JSON.stringify([
      {
        objectID: 'x',
        url: 'javascript:alert(1)',
        pathname: 'javascript:alert(1)',
        hash: '',
        hierarchy: { lvl0: 'a', lvl1: '<img src=x onerror=alert(1)>' },
        content: '',
        type: 'content',
      },
    ]),
  ]) {
    await page.evaluate((text) => localStorage.setItem('siftwren.search.recent', text), stored);
    await page.reload();
    await search.open();
    await expect(search.dialog.getByText('No recent searches')).toBeVisible();
    await search.searchFor('recall');
    await search.expectHits('live');
  }
});
