/** The API reference of the built site, and the console on its pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { environment } from './environment.js';

/** The keys of the platform under test. */
export function keys(): { admin: string; search: string } {
  const text = readFileSync(join(environment.SIFTWREN_TEST_DATA, 'keys.json'), 'utf8');
  return JSON.parse(text) as { admin: string; search: string };
}

/** The part of a page that is about one operation. */
export function operation(page: Page, id: string): Locator {
  return page.locator('.operation').filter({ has: page.locator(`h2[id="${id}"]`) });
}

/** Opens the console of an operation. */
export async function openConsole(page: Page, id: string): Promise<Locator> {
  const place = operation(page, id);
  await place.getByRole('button', { name: /^Try it/ }).click();
  return place.locator('form');
}
