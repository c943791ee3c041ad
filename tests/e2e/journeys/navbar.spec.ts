/** The bar at the top: its items, its dropdowns, and when it makes room. */
import type { Page } from '@playwright/test';
import { audit } from '../support/accessibility.js';
import { expect, settled, takenOver, test } from '../support/fixtures.js';

const PAGE = '/docs/connectors/custom';

const bar = (page: Page) => page.getByRole('banner');
const dropdown = (page: Page, name: string) => bar(page).locator('summary', { hasText: name });

async function wheel(page: Page, by: number): Promise<void> {
  await settled(page);
  const before = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, by);
  await expect.poll(() => page.evaluate(() => scrollY)).not.toBe(before);
}

test.describe('on wide screens', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('it hides as the reader scrolls down, and is back on the way up and at the top', async ({
    page,
  }) => {
    await page.goto(PAGE);
    await page.mouse.move(700, 500);
    await wheel(page, 900);
    await expect(bar(page)).not.toBeInViewport();
    // The menu takes its room, and gives it back.
    const menu = page.locator('#\\:menu');
    await expect.poll(async () => (await menu.boundingBox())?.y).toBe(0);
    expect((await menu.boundingBox())?.height).toBe(900);
    await wheel(page, -200);
    await expect(bar(page)).toBeInViewport();
    const height = (await bar(page).boundingBox())?.height ?? 0;
    await expect.poll(async () => (await menu.boundingBox())?.y).toBe(height);
    expect((await menu.boundingBox())?.height).toBe(900 - height);
    await wheel(page, 900);
    await expect(bar(page)).not.toBeInViewport();
    await page.keyboard.press('Home');
    await expect(bar(page)).toBeInViewport();
  });

  test('the way to an anchor does not hide it', async ({ page }) => {
    await page.goto(PAGE);
    const toc = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
    await toc.nth(3).click();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300);
    await expect(bar(page)).toBeInViewport();
  });

  test('whoever tabs into the hidden bar sees it', async ({ page }) => {
    await page.goto(PAGE);
    await page.mouse.move(700, 500);
    await wheel(page, 900);
    await expect(bar(page)).not.toBeInViewport();
    await bar(page).getByRole('link', { name: 'Docs', exact: true }).focus();
    await expect(bar(page)).toBeInViewport();
  });

  test('version and language are lists that open and close, by key too', async ({ page }) => {
    await page.goto(PAGE);
    await takenOver(page);
    await dropdown(page, 'Language').click();
    await expect(bar(page).getByRole('link', { name: 'English' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(bar(page).getByRole('link', { name: 'English' })).toBeHidden();
    await expect(dropdown(page, 'Language')).toBeFocused();

    await dropdown(page, 'Version').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(bar(page).getByRole('link', { name: 'Next' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(bar(page).getByRole('link', { name: 'Next' })).toBeHidden();
    await expect(page).toHaveURL(PAGE);
    const kept = () => page.evaluate(() => localStorage.getItem('siftwren.version.default'));
    await expect.poll(kept).toBe('Next');

    await dropdown(page, 'Version').click();
    await page.getByRole('heading', { level: 1 }).click();
    await expect(bar(page).getByRole('link', { name: 'Next' })).toBeHidden();
  });
});

test('on narrow screens its items are in the menu', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(PAGE);
  await expect(dropdown(page, 'Version')).toBeHidden();
  await page.getByRole('button', { name: 'Open the menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  for (const name of ['Docs', 'Next', 'English', 'Try For Free']) {
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible();
  }
});

test.describe('axe', () => {
  test.use({ bypassCSP: true });

  for (const colorScheme of ['dark', 'light'] as const) {
    test(`an open dropdown, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      for (const width of [996, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto('/docs');
        await dropdown(page, 'Version').click();
        const found = await audit(page);
        expect.soft(found, `${width} px`).toEqual([]);
      }
    });
  }
});

test('every control can be reached by Tab, in the order of the page', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/docs/overview/install-sdk');
  await takenOver(page);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  /** All that a pointer can use, but what a closed disclosure or an unchosen tab holds. */
  const wanted = await page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>('a[href], button, summary, [tabindex="0"]');
    return [...all].filter(
      (each) =>
        each.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
        each.tabIndex >= 0,
    ).length;
  });
  const reached = new Set<string>();
  for (let press = 0; press < wanted + 10; press += 1) {
    await page.keyboard.press('Tab');
    const place = await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) return null;
      return [...document.querySelectorAll('*')].indexOf(activeElement);
    });
    if (place === null) break;
    reached.add(String(place));
  }
  expect(reached.size).toBe(wanted);
});
