/** Where the search fills the screen, Back closes it, as it closes the menu. */
import type { Page } from '@playwright/test';
import { expect, nextPage, takenOver, test, title } from '../support/fixtures.js';

const BEFORE = '/docs/metrics/recall';
const PHONE = { width: 375, height: 800 };
/** Longer than a browser needs to go back. */
const SETTLED_MS = 300;

test.use({ viewport: PHONE });

/** The page that is searched from, which the reader has come to from `BEFORE`. */
let here: string;

test.beforeEach(async ({ page }) => {
  await page.goto(BEFORE);
  await takenOver(page);
  await nextPage(page).click();
  await expect(page).not.toHaveURL(BEFORE);
  await expect(title(page)).toBeFocused();
  here = page.url();
});

async function tapSearch(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Search docs' }).click();
  await expect(page.getByRole('dialog', { name: 'Search docs' })).toBeVisible();
}

/** Nothing is over the page, and the entry before it is that of the page before. */
async function expectNoEntryLeft(page: Page): Promise<void> {
  await expect(page.getByRole('dialog', { name: 'Search docs' })).toBeHidden();
  await page.waitForTimeout(SETTLED_MS);
  await expect(page).toHaveURL(here);
  await page.goBack();
  await expect(page).toHaveURL(BEFORE);
  await expect(title(page)).toHaveText('Recall');
}

test('Back closes it and stays on the page', async ({ page }) => {
  await tapSearch(page);
  await page.goBack();
  await expectNoEntryLeft(page);
});

test('so it does after Forward, and after a reload with the search open', async ({ page }) => {
  await tapSearch(page);
  await page.goBack();
  await expect(page.getByRole('dialog', { name: 'Search docs' })).toBeHidden();
  await page.goForward();
  await expect(page).toHaveURL(here);
  await tapSearch(page);
  await page.reload();
  await expect(page.getByRole('dialog', { name: 'Search docs' })).toBeHidden();
  await tapSearch(page);
  await page.goBack();
  await expectNoEntryLeft(page);
});

for (const [how, close] of [
  ['the Close button', (page: Page) => page.getByRole('button', { name: 'Close', exact: true }).click()],
  ['Escape', (page: Page) => page.keyboard.press('Escape')],
] as const) {
  test(`${how} leaves no entry, also when it is opened again at once`, async ({ page }) => {
    await tapSearch(page);
    await close(page);
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(SETTLED_MS);
    await expect(page.getByRole('dialog', { name: 'Search docs' })).toBeVisible();
    await close(page);
    await expectNoEntryLeft(page);
  });
}

test('a hit takes the place of the entry', async ({ page, search }) => {
  await tapSearch(page);
  await search.searchFor('ndcg');
  await search.expectHits('live');
  await search.options.first().click();
  await expect(page).toHaveURL(/\/docs\/metrics\/ndcg/);
  await expect(title(page)).toHaveText('nDCG');
  await page.goBack();
  await expect(page).toHaveURL(here);
  await expectNoEntryLeft(page);
});

test('a hit in the same page is shown, and Back leads to where the reader was', async ({
  page,
  search,
}) => {
  await tapSearch(page);
  await search.searchFor(await title(page).innerText());
  await search.expectHits('live');
  const own = search.dialog.locator(`[role=option][href^="${new URL(here).pathname}#"]`).first();
  await own.click();
  await expect(page).toHaveURL(/#/);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expectNoEntryLeft(page);
});

test('opened from the open menu, it stays, and leaves no entry of that', async ({ page }) => {
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeInViewport();
  await page.keyboard.press('Control+k');
  await page.waitForTimeout(SETTLED_MS);
  await expect(page.getByRole('dialog', { name: 'Search docs' })).toBeVisible();
  await page.goBack();
  await expectNoEntryLeft(page);
});
