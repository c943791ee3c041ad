/** Search on the platform: from the key press to the paragraph that was looked for. */
import { expect, test, title } from '../support/fixtures.js';
import {
  addressOf,
  answerSearch,
  CORS,
  recordSearchCalls,
  RETRIEVE_URL,
} from '../support/searchModal.js';

const START = '/docs/overview/quickstart';

for (const keys of ['/', 'Control+k']) {
  test(`${keys} opens the search on a fresh page`, async ({ page, search }) => {
    await page.goto(START);
    await page.keyboard.press(keys);
    await expect(search.field).toBeFocused();
    await expect(search.dialog.getByText('No recent searches')).toBeVisible();
  });
}

test('the button opens the search, and what is typed at once is not lost', async ({
  page,
  search,
}) => {
  await page.goto(START);
  await page.getByRole('banner').getByRole('button', { name: 'Search docs' }).click();
  // Slowly enough to go on while the application loads, takes the page over and opens the dialog.
  await page.keyboard.type('personalization', { delay: 25 });
  await expect(search.field).toHaveValue('personalization');
  await search.expectHits('live');
});

test('a query is one call, as specified, and its hits are the platform’s', async ({
  page,
  search,
}) => {
  const calls = recordSearchCalls(page);
  await page.goto(START);
  await search.open();
  const answered = page.waitForResponse(RETRIEVE_URL);
  await search.searchFor('do the best results come first');
  const response = await answered;
  await search.expectHits('live');

  expect(calls).toHaveLength(1);
  const request = response.request();
  expect(request.method()).toBe('POST');
  const headers = await request.allHeaders();
  expect(headers['content-type']).toBe('application/json');
  expect(headers['x-api-key']).toMatch(/^\S{40}$/);
  expect(request.postDataJSON()).toEqual({
    text_query: 'do the best results come first',
    return_metadata: true,
    config: { limit: 20 },
  });

  expect(response.status()).toBe(200);
  const { metadata } = (await response.json()) as { metadata: { url: string }[] };
  const answeredUrls = new Set(metadata.map(({ url }) => url));
  expect(metadata.length).toBeGreaterThan(0);
  for (const option of await search.options.all()) {
    const { pathname, hash } = await addressOf(option);
    expect(answeredUrls).toContain(pathname + hash);
  }
});

test('arrows and Enter lead to the section itself', async ({ page, search }) => {
  await page.goto(START);
  await search.open();
  await search.searchFor('worked example of the nDCG metric');
  await search.expectHits('live');

  const first = await addressOf(search.selected);
  await page.keyboard.press('ArrowDown');
  expect((await addressOf(search.selected)).href).not.toBe(first.href);
  await page.keyboard.press('ArrowUp');
  expect((await addressOf(search.selected)).href).toBe(first.href);
  await page.keyboard.press('ArrowUp');
  await expect(search.options.last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(search.options.first()).toHaveAttribute('aria-selected', 'true');

  const target = await search.select(
    ({ pathname, hash }) => pathname.startsWith('/docs/metrics/') && hash !== '',
  );
  await page.keyboard.press('Enter');
  await expect(search.dialog).toBeHidden();
  await expect(page).toHaveURL(target.href);
  await expect(title(page)).toBeVisible();
  const heading = page.locator(`[id="${decodeURIComponent(target.hash.slice(1))}"]`);
  await expect(heading).toBeInViewport();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await expect(page).toHaveURL(target.href);
});

test('a click on a hit does the same', async ({ page, search }) => {
  await page.goto(START);
  await search.open();
  await search.searchFor('recall');
  await search.expectHits('live');
  const target = await addressOf(search.options.nth(1));
  await search.options.nth(1).click();
  await expect(search.dialog).toBeHidden();
  await expect(page).toHaveURL(target.href);
});

test('while a reader types, only the newest query counts', async ({ page, search }) => {
  const calls = recordSearchCalls(page);
  await page.goto(START);
  await search.open();
  await search.field.pressSequentially('precision', { delay: 15 });
  await search.expectHits('live');
  await expect(search.selected).toContainText('Precision');
  const queries = calls.map((call) => (call.postDataJSON() as { text_query: string }).text_query);
  expect(new Set(queries).size, 'each text is asked for once').toBe(queries.length);
  expect(queries.at(-1)).toBe('precision');
});

test('an answer to an older query that comes late changes nothing', async ({ page, search }) => {
  const found = (header_1: string) => ({
    headers: CORS,
    json: { metadata: [{ item_id: header_1, url: '/docs', folder: 'Section', header_1 }] },
  });
  let answerOlder: () => Promise<void> = () =>
    Promise.reject(new Error('the older query was not sent'));
  await answerSearch(page, async (route) => {
    const { text_query } = route.request().postDataJSON() as { text_query: string };
    if (text_query === 'older') answerOlder = () => route.fulfill(found('Older'));
    else await route.fulfill(found('Newer'));
  });
  await page.goto(START);
  await search.open();
  const sent = page.waitForRequest(RETRIEVE_URL);
  await search.searchFor('older');
  await sent;
  await search.searchFor('newer');
  await expect(search.options).toHaveText([/Newer/]);
  await answerOlder();
  // Longer than the page needs to put an answer on the screen.
  await page.waitForTimeout(300);
  await expect(search.options).toHaveText([/Newer/]);
});

test('a page whose name is typed comes before its sections', async ({ page, search }) => {
  await page.goto('/docs/metrics/recall');
  await search.open();
  await search.field.fill('quickstart');
  await search.expectHits('live');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/docs/overview/quickstart');
});
