import type { Page } from '@playwright/test';

/**
 * Waits for the script of a page, which the page imports once it has been shown, a few frames after the load event. What is
 * pressed before is answered then; journeys also look at what a page says at once.
 */
export async function answers(page: Page): Promise<void> {
  await page.locator(':root:not([data-js=""])').waitFor({ state: 'attached' });
}
