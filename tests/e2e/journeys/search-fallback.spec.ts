/** Search without the platform: stopped, slow, or slow and then back. */
import { expect, test } from '../support/fixtures.js';
import { addressOf } from '../support/searchModal.js';

// The browser says that it could not connect, and the search says why it turns to its own index.
test.use({ expectedErrors: /ERR_CONNECTION_REFUSED|siftwren: live search failed/ });

const START = '/docs/overview/quickstart';

test('with the platform stopped, the index in the browser answers and says so', async ({
  page,
  search,
  platform,
}) => {
  await page.goto(START);
  await search.open();
  await search.searchFor('recall');
  await search.expectHits('live');

  await platform.stop();
  await search.searchFor('precision');
  await search.expectHits('offline');
  await expect(search.selected).toContainText('Precision');
  const target = await addressOf(search.selected);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(target.href);

  await platform.start();
  await page.keyboard.press('/');
  await search.searchFor('coverage');
  await search.expectHits('live');
});

test.describe('with the platform slow', () => {
  /** From the input to the moment at which the page shows offline results, by the page's own clock. */
  function timeToOfflineNote(): Promise<number> {
    return new Promise((resolve) => {
      const field = document.querySelector('input[placeholder]');
      field?.addEventListener(
        'input',
        () => {
          const started = performance.now();
          const observer = new MutationObserver(() => {
            if (
              document.querySelector('dialog')?.innerText.includes('Results from the offline index')
            ) {
              observer.disconnect();
              resolve(performance.now() - started);
            }
          });
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        },
        { once: true },
      );
    });
  }

  test('local results come at 300 ms; the live answer replaces them', async ({
    page,
    search,
    platform,
  }) => {
    await page.goto(START);
    await search.open();
    await search.searchFor('recall');
    await search.expectHits('live');

    await platform.pause();
    const time = page.evaluate(timeToOfflineNote);
    await search.searchFor('precision');
    await search.expectHits('offline');
    expect(await time).toBeGreaterThanOrEqual(290);
    // Before the platform would be given up.
    expect(await time).toBeLessThan(2_000);

    platform.resume();
    await search.expectHits('live');
    await expect(search.selected).toContainText('Precision');
  });

  test('the live answer leaves a selection alone that the reader has moved', async ({
    page,
    search,
    platform,
  }) => {
    await page.goto(START);
    await search.open();
    await search.searchFor('recall');
    await search.expectHits('live');

    await platform.pause();
    const answered = page.waitForResponse(/\/retrieve$/);
    await search.searchFor('precision');
    await search.expectHits('offline');
    await page.keyboard.press('ArrowDown');
    const chosen = await addressOf(search.selected);
    platform.resume();
    await (await answered).finished();
    // Longer than the page needs to put a live answer on the screen.
    await page.waitForTimeout(300);
    await search.expectHits('offline');
    expect((await addressOf(search.selected)).href).toBe(chosen.href);
  });

  test('a platform that stays silent is given up, and the local results stay', async ({
    page,
    search,
    platform,
  }) => {
    await page.goto(START);
    await search.open();
    await platform.pause();
    const failed = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/retrieve'),
    );
    await search.searchFor('precision');
    await search.expectHits('offline');
    await failed;
    await search.expectHits('offline');
    await expect(search.options.first()).toBeVisible();
  });
});
