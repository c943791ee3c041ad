/** Every state and every key of the search, in both themes and all layouts. */
import type { Page } from '@playwright/test';
import { holdBack } from '../support/connection.js';
import { expect, test, title } from '../support/fixtures.js';
import { inEveryLook } from '../support/looks.js';
import { indexUrls, searchLocally } from '../support/searchIndex.js';
import { addressOf, RETRIEVE_URL, type SearchModal } from '../support/searchModal.js';

test.use({
  expectedErrors:
    /ERR_CONNECTION_REFUSED|ERR_FAILED|siftwren: ((live )?search|results could not be refined)/,
});

const START = '/docs/overview/quickstart';
const RETRIEVE = new RegExp(RETRIEVE_URL);

/** The modal says something, all of it is on the screen, and nothing is wider than it should be. */
async function expectWhole(search: SearchModal): Promise<void> {
  const { words, overflow, inside } = await search.dialog.evaluate((dialog) => {
    const box = dialog.getBoundingClientRect();
    return {
      words: (dialog as HTMLElement).innerText.trim().length,
      overflow: [dialog, ...dialog.querySelectorAll('*')].filter(
        (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto',
      ).length,
      inside:
        box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight,
    };
  });
  expect({ says: words > 0, overflow, inside }).toEqual({ says: true, overflow: 0, inside: true });
}

function saved(search: SearchModal, name: 'Recent searches' | 'Favorites') {
  return search.dialog.getByRole('group', { name });
}

/** Opens what Ctrl+Enter opens, and closes it again. */
async function openElsewhere(page: Page, keys: string): Promise<string> {
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.keyboard.press(keys),
  ]);
  await opened.waitForURL(/docs/);
  const url = opened.url();
  await opened.close();
  return url;
}

inEveryLook(() => {
  test.beforeEach(async ({ page }) => {
    await page.goto(START);
  });

  test('idle, loading, stalled, results, nothing found, nobody reached', async ({
    page,
    search,
  }) => {
    const { dialog } = search;
    await search.open();
    await expect(dialog.getByText('No recent searches')).toBeVisible();
    await expectWhole(search);

    await test.step('results', async () => {
      await search.searchFor('recall');
      await search.expectHits('live');
      await expect(search.selected).toHaveCount(1);
      await expectWhole(search);
    });

    await test.step('loading: what was found before stays; stalled: so it does', async () => {
      const release = await holdBack(page, RETRIEVE);
      const releaseIndex = await holdBack(page, indexUrls('core', 't', 'w', 'n', 'x'));
      await search.searchFor('coverage');
      await expect(search.selected).toContainText(/recall/i);
      await expect(dialog.getByRole('status')).toHaveText('Searching…');
      await expect(search.selected).toContainText(/recall/i);
      await expectWhole(search);
      release();
      releaseIndex();
      await expect(search.selected).toContainText(/coverage/i);
      await page.unrouteAll();
    });

    await test.step('nothing found', async () => {
      await search.searchFor('zqxjkvw');
      await expect(dialog.getByText('No results for “zqxjkvw”').first()).toBeVisible();
      await expect(dialog.getByRole('listitem').first()).toBeVisible();
      await expectWhole(search);
    });

    await test.step('results of the offline index say so', async () => {
      await searchLocally(page);
      await search.searchFor('precision');
      await search.expectHits('offline');
      await expectWhole(search);
    });

    await test.step('nobody reached, no index: the error, and Try again', async () => {
      await page.route(/\/assets\/search\//, (route) => route.abort());
      await page.reload();
      await search.open();
      await search.searchFor('precision');
      await expect(dialog.getByText('Unable to fetch results').first()).toBeVisible();
      await expect(
        dialog.getByText('You might want to check your network connection.').first(),
      ).toBeVisible();
      await expectWhole(search);
      await page.unrouteAll();
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await search.expectHits('live');
      await expect(search.field).toBeFocused();
    });
  });

  test('the whole search by keys alone', async ({ page, search }) => {
    const { keyboard } = page;
    for (const keys of ['Control+k', 'Meta+k', '/']) {
      await keyboard.press(keys);
      await expect(search.field).toBeFocused();
      await keyboard.press('Escape');
      await expect(search.dialog).toBeHidden();
    }
    await keyboard.press('/');
    await keyboard.type('recall');
    await search.expectHits('live');
    await keyboard.press('ArrowUp');
    await expect(search.options.last()).toHaveAttribute('aria-selected', 'true');
    await keyboard.press('ArrowDown');
    await expect(search.options.first()).toHaveAttribute('aria-selected', 'true');
    const first = (await addressOf(search.selected)).href;
    await expect(search.field).toHaveAttribute(
      'aria-activedescendant',
      (await search.selected.getAttribute('id')) ?? 'none',
    );

    for (const keys of ['Control+Enter', 'Meta+Enter', 'Shift+Enter']) {
      expect(await openElsewhere(page, keys)).toBe(first);
      await expect(search.dialog).toBeVisible();
    }

    await test.step('Tab leaves the list, and the button that it reaches empties the field', async () => {
      await keyboard.press('Tab');
      await expect(search.field).toHaveAttribute('aria-expanded', 'false');
      await expect(search.dialog.getByRole('button', { name: 'Clear the query' })).toBeFocused();
      await keyboard.press('Enter');
      await expect(search.field).toBeFocused();
      await expect(search.field).toHaveValue('');
    });

    await test.step('a recent search becomes a favorite, and is removed', async () => {
      await expect(saved(search, 'Recent searches').getByRole('option')).toHaveCount(1);
      await keyboard.press('Tab');
      await keyboard.press('Tab');
      await expect(search.dialog.getByRole('button', { name: /^Move .* to favorites$/ })).toBeFocused();
      await keyboard.press('Space');
      await expect(saved(search, 'Favorites').getByRole('option')).toHaveCount(1);
      await expect(saved(search, 'Recent searches')).toBeHidden();
      await expect(search.dialog.getByRole('status')).toHaveText('Moved to favorites');
      await expectWhole(search);
      await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      await expect(page).toHaveURL(first);
      await keyboard.press('/');
      await expect(saved(search, 'Favorites').getByRole('option')).toHaveCount(1);
      await expect(saved(search, 'Recent searches')).toBeHidden();
      await search.dialog.getByRole('button', { name: /from favorites$/ }).press('Enter');
      await expect(search.dialog.getByText('No recent searches')).toBeVisible();
    });

    await test.step('Enter opens, and the query is there the next time, to be typed over', async () => {
      await keyboard.type('coverage');
      await search.expectHits('live');
      await keyboard.press('Enter');
      await expect(search.dialog).toBeHidden();
      await expect(title(page)).toContainText(/coverage/i);
      await keyboard.press('Control+k');
      await expect(search.field).toHaveValue('coverage');
      await keyboard.type('precision');
      await expect(search.field).toHaveValue('precision');
    });
  });
});

test('what is selected on the page is the first query', async ({ page, search }) => {
  await page.goto('/docs/metrics/ndcg');
  await title(page).selectText();
  await page.keyboard.press('Control+k');
  await expect(search.field).toHaveValue('nDCG');
  await search.expectHits('live');
});

test('a click on a hit with a modifier leaves the focus in the field', async ({ page, search }) => {
  await page.goto(START);
  await search.open();
  await search.searchFor('recall');
  await search.expectHits('live');
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    search.options.nth(1).click({ modifiers: ['Control'] }),
  ]);
  await opened.close();
  await expect(search.dialog).toBeVisible();
  await expect(search.field).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(search.dialog).toBeHidden();
});

for (const [motion, behavior] of [
  ['reduce', 'auto'],
  ['no-preference', 'smooth'],
] as const) {
  test(`a hit scrolls to its anchor after 100 ms: motion ${motion}`, async ({ page, search }) => {
    await page.emulateMedia({ reducedMotion: motion });
    await page.goto(START);
    await search.open();
    await search.searchFor('worked example of the nDCG metric');
    await search.expectHits('live');
    const target = await search.select(
      ({ pathname, hash }) => pathname.startsWith('/docs/metrics/') && hash !== '',
    );
    const scrolled = page.evaluate(
      () =>
        new Promise<{ behavior: string | undefined; after: number }>((resolve) => {
          const { scrollIntoView } = Element.prototype;
          let arrived = Number.POSITIVE_INFINITY;
          new MutationObserver(() => {
            if (document.querySelector('h1')?.id !== 'before') {
              arrived = Math.min(arrived, performance.now());
            }
          }).observe(document.querySelector('main') as Element, { childList: true, subtree: true });
          Element.prototype.scrollIntoView = function (options) {
            scrollIntoView.call(this, options);
            if (typeof options === 'object' && options.block !== 'nearest') {
              resolve({ behavior: options.behavior, after: performance.now() - arrived });
            }
          };
        }),
    );
    await page.keyboard.press('Enter');
    const { behavior: used, after } = await scrolled;
    expect(used).toBe(behavior);
    expect(after).toBeGreaterThanOrEqual(90);
    await expect(page.locator(`[id="${decodeURIComponent(target.hash.slice(1))}"]`)).toBeInViewport();
  });
}
