/** No violation on the screens that few readers meet, in both themes and all layouts. */
import { audit } from '../support/accessibility.js';
import { fetchNothingAhead } from '../support/connection.js';
import { expect, nextPage, takenOver, test, title } from '../support/fixtures.js';
import { inEveryLook } from '../support/looks.js';
import { RETRIEVE_URL } from '../support/searchModal.js';

test.use({
  bypassCSP: true,
  contextOptions: { reducedMotion: 'reduce' },
  expectedErrors: /net::ERR_|status of 404|siftwren: (live )?search|sabotage/,
});

const START = '/docs/metrics/ndcg';

function hit(number: number) {
  return {
    objectID: String(number),
    url: `/docs/p${number}`,
    pathname: `/docs/p${number}`,
    hash: '',
    hierarchy: { lvl0: 'Metrics', lvl1: `Page ${number}` },
    content: number % 2 === 0 ? '' : 'What the page says',
    type: 'content',
  };
}

inEveryLook(() => {
  test('recent searches and favorites', async ({ page, search }) => {
    await page.goto(START);
    await page.evaluate(
      ([recents, favorites]) => {
        localStorage.setItem('siftwren.search.recent', recents);
        localStorage.setItem('siftwren.search.favorites', favorites);
      },
      [JSON.stringify([1, 2].map(hit)), JSON.stringify([3, 4].map(hit))] as const,
    );
    await search.open();
    await page.keyboard.press('ArrowDown');
    await expect(search.options).toHaveCount(4);
    expect(await audit(page)).toEqual([]);
    await expect(search.dialog).toMatchAriaSnapshot(`
      - dialog "Search docs":
        - combobox "Search docs" [expanded]
        - button "Close"
        - listbox "Recent and favorite searches":
          - group "Recent searches":
            - 'option "Page 1 : What the page says" [selected]'
            - option "Page 2"
          - group "Favorites":
            - 'option "Page 3 : What the page says"'
            - option "Page 4"
        - 'button "Move Page 1: What the page says to favorites"'
        - 'button "Remove Page 1: What the page says from recent searches"'
        - button "Move Page 2 to favorites"
        - button "Remove Page 2 from recent searches"
        - 'button "Remove Page 3: What the page says from favorites"'
        - button "Remove Page 4 from favorites"
    `);
  });

  test('nobody reached', async ({ page, search }) => {
    for (const url of [RETRIEVE_URL, /\/assets\/search\//]) {
      await page.route(url, (route) => route.abort('connectionrefused'));
    }
    await page.goto(START);
    await search.open();
    await search.searchFor('recall');
    await expect(search.dialog.getByRole('button', { name: 'Try again' })).toBeVisible();
    expect(await audit(page)).toEqual([]);
  });

  test('a page that did not load, one that crashed, and one that is not there', async ({ page }) => {
    await page.goto('/docs/metrik/ndgc');
    await expect(page.getByRole('main').getByRole('link', { name: 'nDCG' })).toBeVisible();
    expect(await audit(page), 'not found').toEqual([]);

    await fetchNothingAhead(page);
    await page.goto(START);
    await takenOver(page);
    await page.route(/\/fragments\/pages\//, (route) => route.abort());
    await nextPage(page).click();
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    expect(await audit(page), 'not loaded').toEqual([]);

    await page.unrouteAll();
    await page.evaluate(() => {
      const { createElement } = Document.prototype;
      Document.prototype.createElement = function (this: Document, name: string) {
        if (name === 'article') throw new Error('sabotage');
        return createElement.call(this, name);
      } as typeof createElement;
    });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(title(page)).toHaveText('This page crashed.');
    expect(await audit(page), 'crashed').toEqual([]);
  });
});
