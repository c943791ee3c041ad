import type { Page } from '@playwright/test';

/**
 * Waits for the script of a page, which the page imports once it has been shown, a few frames after the load event. Nobody presses
 * anything before; a journey would.
 */
export async function answers(page: Page): Promise<void> {
  await page.locator(':root:not([data-js=""])').waitFor({ state: 'attached' });
}
