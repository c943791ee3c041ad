/**
 * The whole site by keyboard, on a desk and on a phone: everything that can be pressed is reached,
 * and wherever the focus is, it is seen and nothing lies over it (WCAG 2.2, 2.4.7 and 2.4.11).
 */
import { expect, settled, takenOver, test, title } from '../support/fixtures.js';
import { walk } from '../support/keyboardWalk.js';
import { openConsole } from '../support/reference.js';

test.use({
  // Where a page scrolls to is seen at once.
  contextOptions: { reducedMotion: 'reduce' },
  expectedErrors: /status of 404/,
});

const PAGES = [
  '/',
  '/docs',
  '/docs/metrics/ndcg',
  '/docs/connectors/custom',
  '/docs/overview/install-sdk',
  '/docs/a-z',
  '/docs/api',
  '/docs/api/probes',
  '/docs/no-such-page',
  '/offline.html',
];

for (const [device, viewport] of [
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 375, height: 700 }],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use({ viewport });
    const isPhone = viewport.width < 996;

    for (const path of PAGES) {
      test(`the page ${path}, forwards and back`, async ({ page }) => {
        test.setTimeout(90_000);
        await page.goto(path);
        await takenOver(page);
        const forwards = await walk(page);
        expect(forwards.length).toBeGreaterThan(8);
        const back = await walk(page, 'Shift+Tab');
        expect([...back].sort()).toEqual([...forwards].sort());
      });
    }

    test('the search: empty, with results, with what was searched before', async ({
      page,
      search,
    }) => {
      await page.goto('/docs/metrics/ndcg');
      await search.open();
      await walk(page, 'Tab', 'dialog');
      await search.field.focus();
      await search.searchFor('recall');
      await search.expectHits('live');
      await walk(page, 'Tab', 'dialog');
      await search.field.focus();
      await page.keyboard.press('Enter');
      await expect(title(page)).toHaveText('Recall');
      await search.open();
      await search.searchFor('');
      await expect(search.options).toHaveCount(1);
      const stops = await walk(page, 'Tab', 'dialog');
      expect(stops.some((stop) => stop.includes('favorites'))).toBe(true);
      await page.keyboard.press('Escape');
      await expect(search.dialog).toBeHidden();
    });

    test('a console of the API, opened, walked and closed', async ({ page }) => {
      await page.goto('/docs/api/datasets');
      const form = await openConsole(page, 'create_dataset');
      await expect(form.locator('p').first()).toBeFocused();
      const stops = await walk(page);
      expect(stops.some((stop) => stop.startsWith('<textarea'))).toBe(true);
    });

    test('tabs: the arrows lead through them, Tab into what is shown', async ({ page }) => {
      await page.goto('/docs/overview/install-sdk');
      const tabs = page.getByRole('tablist').first().getByRole('tab');
      await tabs.first().focus();
      const count = await tabs.count();
      expect(count).toBeGreaterThan(1);
      for (let step = 1; step <= count; step += 1) {
        await page.keyboard.press('ArrowRight');
        const current = tabs.nth(step % count);
        await expect(current).toBeFocused();
        await expect(current).toHaveAttribute('aria-selected', 'true');
        await expect(current).toBeInViewport();
      }
    });

    test('the announcement can be dismissed, and the walk goes on', async ({ page }) => {
      await page.goto('/docs/metrics/ndcg');
      const close = page.getByRole('button', { name: 'Dismiss the announcement' });
      await close.focus();
      await page.keyboard.press('Enter');
      await expect(close).toBeHidden();
      const stops = await walk(page);
      expect(stops.some((stop) => stop.includes('announcement'))).toBe(false);
    });

    if (isPhone) {
      test('the drawer: opened, walked, and left', async ({ page }) => {
        await page.goto('/docs/metrics/ndcg');
        const menu = page.getByRole('button', { name: 'Open the menu' });
        await menu.focus();
        await page.keyboard.press('Enter');
        await expect(page.getByRole('dialog', { name: 'Menu' })).toBeInViewport();
        const stops = await walk(page, 'Tab', '[role=dialog]');
        expect(stops.length).toBeGreaterThan(8);
        await page.keyboard.press('Escape');
        await expect(menu).toBeFocused();
      });
    } else {
      test('the dropdowns: opened, walked, and left', async ({ page }) => {
        await page.goto('/docs/metrics/ndcg');
        // Until the second script runs, a dropdown is what the browser makes of it, without Escape.
        await settled(page);
        const summaries = page.getByRole('banner').locator('summary:visible');
        expect(await summaries.count()).toBeGreaterThan(1);
        for (const summary of await summaries.all()) {
          await summary.focus();
          await page.keyboard.press('Enter');
          await page.keyboard.press('Tab');
          const isInside = await summary.evaluate((one) =>
            one.parentElement?.contains(document.activeElement),
          );
          expect(isInside).toBe(true);
          await page.keyboard.press('Escape');
          await expect(summary).toBeFocused();
          await expect(summary.locator('xpath=..')).not.toHaveAttribute('open');
        }
      });
    }
  });
}

test('the walk sees a mark that is missing, a bar that lies over the page, and what Tab leaves out', async ({
  page,
}) => {
  await page.goto('/docs/metrics/ndcg');
  const fails = () => walk(page).then(() => false, () => true);
  expect(await fails()).toBe(false);
  for (const sabotage of [
    () => {
      for (const link of document.querySelectorAll<HTMLElement>('main a')) link.style.outline = 'none';
    },
    () => {
      const bar = document.createElement('div');
      bar.style.cssText = 'position:fixed;inset:0;z-index:9999';
      document.body.append(bar);
    },
    () => {
      const link = document.querySelector<HTMLElement>('main nav a');
      link?.addEventListener('focus', () => link.nextElementSibling ?? link.blur());
    },
  ]) {
    await page.reload();
    await page.evaluate(sabotage);
    expect(await fails(), String(sabotage)).toBe(true);
  }
});
