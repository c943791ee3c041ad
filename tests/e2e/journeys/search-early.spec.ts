/** Keys that are pressed while the search is on its way, as on a slow line. */
import type { Page } from '@playwright/test';
import { fetchNothingAhead, holdBack } from '../support/connection.js';
import { expect, test } from '../support/fixtures.js';

const START = '/docs/overview/quickstart';
const NDCG = /\/docs\/metrics\/ndcg/;

let release: () => void;

test.beforeEach(async ({ page }) => {
  await fetchNothingAhead(page);
  release = await holdBack(page, /\/assets\/(client|search)-.*\.js/);
  await page.goto(START);
});

/** A link that Enter would follow. */
async function focusLink(page: Page) {
  const link = page.getByRole('main').getByRole('link').first();
  await link.focus();
  await expect(link).toBeFocused();
  return link;
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

for (const focus of ['a link', 'nothing']) {
  test(`with the focus on ${focus}, Enter opens the first hit as soon as there is one`, async ({
    page,
    search,
  }) => {
    if (focus === 'a link') await focusLink(page);
    await press(page, 'Control+k', 'n', 'd', 'c', 'x', 'Backspace', 'g', 'ArrowDown', 'Enter');
    await expect(page).toHaveURL(START);
    release();
    await expect(page).toHaveURL(NDCG);
    await expect(search.dialog).toBeHidden();
  });
}

test('what was opened last is chosen by the arrows before it can be seen', async ({
  page,
  search,
}) => {
  release();
  await search.open();
  for (const query of ['recall', 'ndcg']) {
    await search.searchFor(query);
    await search.expectHits('live');
    await page.keyboard.press('Enter');
    await expect(search.dialog).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`/docs/metrics/${query}`));
    await search.open();
  }
  release = await holdBack(page, /\/assets\/client-.*\.js/);
  await page.goto(START);
  await press(page, '/', 'ArrowDown', 'ArrowDown', 'Enter');
  await expect(page).toHaveURL(START);
  release();
  await expect(page).toHaveURL(/\/docs\/metrics\/recall/);
});

test('Control+Enter opens the hit in a new tab', async ({ page, context, search }) => {
  await focusLink(page);
  await press(page, 'Control+k', 'n', 'd', 'c', 'g', 'Control+Enter');
  expect(context.pages()).toHaveLength(1);
  const opened = context.waitForEvent('page');
  release();
  await expect(await opened).toHaveURL(NDCG);
  await expect(search.dialog).toBeVisible();
  await expect(page).toHaveURL(START);
});

for (const key of ['Escape', 'Tab']) {
  test(`${key} gives the search up, and the keys are those of the page again`, async ({
    page,
    search,
  }) => {
    const link = await focusLink(page);
    await press(page, 'Control+k', 'n', key);
    const staysHere = key === 'Escape';
    await (staysHere ? expect(link) : expect(link).not).toBeFocused();
    const loaded = page.waitForResponse(/\/assets\/search-.*\.js/);
    release();
    await loaded;
    await page.waitForTimeout(500);
    await expect(search.dialog).toBeHidden();
    const target = await page.evaluate(() => (document.activeElement as HTMLAnchorElement).href);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(target);
  });
}
