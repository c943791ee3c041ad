/** Storage that is full, blocked, foreign or shared between windows: the search works without it. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.js';
import type { SearchModal } from '../support/searchModal.js';

const START = '/docs/overview/quickstart';

function group(search: SearchModal, name: 'Recent searches' | 'Favorites') {
  return search.dialog.getByRole('group', { name });
}

async function openAndKeep(page: Page, search: SearchModal, query: string): Promise<void> {
  await search.searchFor(query);
  await search.expectHits('live');
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.keyboard.press('Control+Enter'),
  ]);
  await opened.close();
}

for (const [what, breakStorage] of [
  [
    'full',
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
    },
  ],
  [
    'blocked',
    () => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('The operation is insecure.', 'SecurityError');
          },
        });
      }
    },
  ],
  [
    'not there',
    () => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, { value: null });
      }
    },
  ],
] as const) {
  test(`${what}: recent searches and favorites last as long as the page`, async ({
    page,
    search,
  }) => {
    await page.addInitScript(breakStorage);
    await page.goto(START);
    await search.open();
    await openAndKeep(page, search, 'recall');
    await openAndKeep(page, search, 'coverage');
    await search.searchFor('');
    await expect(group(search, 'Recent searches').getByRole('option')).toHaveCount(2);
    await search.dialog.getByRole('button', { name: /to favorites$/ }).first().click();
    await expect(group(search, 'Favorites').getByRole('option')).toHaveText([/Coverage/]);
    await page.keyboard.press('Escape');
    await search.open();
    await expect(group(search, 'Favorites').getByRole('option')).toHaveText([/Coverage/]);
    await expect(group(search, 'Recent searches').getByRole('option')).toHaveText([/Recall/]);
    await page.reload();
    await search.open();
    await expect(search.dialog.getByText('No recent searches')).toBeVisible();
  });
}

test('a million entries, and five megabytes of one text', async ({ page, search }) => {
  await page.goto(START);
  for (const make of [
    () => `[${'7,'.repeat(999_999)}7]`,
    () => JSON.stringify([{ pathname: '/docs', text: 'x'.repeat(4_500_000) }]),
    () => '['.repeat(100_000),
  ]) {
    const stored = make();
    await page.evaluate((text) => {
      localStorage.clear();
      localStorage.setItem('siftwren.search.recent', text);
    }, stored);
    await search.open();
    await expect(search.dialog.getByText('No recent searches')).toBeVisible();
    await search.searchFor('recall');
    await search.expectHits('live');
    await search.searchFor('');
    await page.keyboard.press('Escape');
    await expect(search.dialog).toBeHidden();
  }
});

test('four recent searches beside favorites, ten favorites; two windows share them', async ({
  page,
  context,
  search,
}) => {
  await page.goto(START);
  const hit = (number: number) => ({
    objectID: String(number),
    url: `/docs/p${number}`,
    pathname: `/docs/p${number}`,
    hash: '',
    hierarchy: { lvl0: 'Pages', lvl1: `Page ${number}` },
    content: '',
    type: 'content',
  });
  await page.evaluate(
    ([recents, favorites]) => {
      localStorage.setItem('siftwren.search.recent', recents);
      localStorage.setItem('siftwren.search.favorites', favorites);
    },
    [
      JSON.stringify([1, 2, 3, 4, 5, 6, 7, 8].map(hit)),
      JSON.stringify([11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22].map(hit)),
    ] as const,
  );
  await search.open();
  await expect(group(search, 'Recent searches').getByRole('option')).toHaveCount(4);
  await expect(group(search, 'Favorites').getByRole('option')).toHaveCount(10);
  await expect(group(search, 'Favorites').getByRole('option').last()).not.toBeInViewport();
  await page.keyboard.press('ArrowUp');
  await expect(search.selected).toHaveText('Page 20');
  await expect(search.selected).toBeInViewport();

  const other = await context.newPage();
  await other.goto(START);
  await other.keyboard.press('/');
  await other.getByRole('button', { name: 'Remove Page 15 from favorites' }).click();
  await search.dialog.getByRole('button', { name: 'Remove Page 11 from favorites' }).click();
  await expect(group(search, 'Favorites').getByRole('option')).toHaveCount(8);
  await expect(search.dialog.getByText('Page 15')).toBeHidden();
});
