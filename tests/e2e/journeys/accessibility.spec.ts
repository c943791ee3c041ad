/** No violation in any state of the modal and the menu, in both themes, narrow and wide. */
import { audit, expectClean } from '../support/accessibility.js';
import { expect, test } from '../support/fixtures.js';
import { searchLocally } from '../support/searchIndex.js';
import { answerSearch, CORS } from '../support/searchModal.js';

test.use({
  bypassCSP: true,
  contextOptions: { reducedMotion: 'reduce' },
  expectedErrors: /status of 404|ERR_CONNECTION_REFUSED|siftwren: live search failed/,
});

test('the open search: empty, with results, without results, with recent searches', async ({
  page,
  search,
}) => {
  await page.goto('/docs/metrics/ndcg');
  await search.open();
  await expect(search.dialog.getByText('No recent searches')).toBeVisible();
  await expectClean(page);
  await search.searchFor('recall');
  await search.expectHits('live');
  await expectClean(page);
  await Promise.all([
    page
      .context()
      .waitForEvent('page')
      .then((opened) => opened.close()),
    page.keyboard.press('Control+Enter'),
  ]);
  await search.searchFor('zqxjkvw');
  await expect(search.dialog.getByText('No results for “zqxjkvw”').first()).toBeVisible();
  await expectClean(page);
  await search.searchFor('');
  await expect(search.options).toHaveCount(1);
  await expectClean(page);
});

test('the open search: proposals, and from the offline index a misspelt word and a question', async ({
  page,
  search,
}) => {
  await answerSearch(page, (route) => route.fulfill({ headers: CORS, json: { metadata: [] } }));
  await page.goto('/docs/metrics/ndcg');
  await search.open();
  await search.searchFor('presicion');
  await expect(search.dialog.getByRole('listitem').first()).toBeVisible();
  await expectClean(page);
  await page.unrouteAll();
  await searchLocally(page);
  for (const query of ['ndgc', 'how good is my ranking']) {
    await search.searchFor(query);
    await search.expectHits('offline');
    await expectClean(page);
  }
});

test('the open menu of narrow screens', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 900 });
  await page.goto('/docs/metrics/ndcg');
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeInViewport();
  await expectClean(page, [375]);
});

test('marked lines of code, in each of its colours', async ({ page }) => {
  await page.goto('/docs/metrics/ndcg');
  const code = page.getByRole('article').locator('.code code').first();
  await code.evaluate((element) => {
    const words = [...'ksnftc'].map((kind) => `<span class="h-${kind}">word</span> `).join('');
    element.innerHTML = ['mark', 'ins', 'del']
      .map((name) => `<${name}>${words}plain\n</${name}>`)
      .join('');
  });
  // Who does not see their colours sees their signs.
  const sign = (name: string) =>
    code.locator(name).evaluate((line) => getComputedStyle(line, '::before').content);
  expect([await sign('ins'), await sign('del'), await sign('mark')]).toEqual([
    '"+"',
    '"-"',
    'none',
  ]);
  await expectClean(page);
});

test('the audit sees a violation', async ({ page }) => {
  await page.goto('/docs');
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('img')));
  expect((await audit(page)).filter((line) => line.startsWith('violation image-alt'))).toHaveLength(
    1,
  );
});
