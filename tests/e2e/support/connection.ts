/** What the browser tells about its connection, by which the site decides whether to fetch what nobody has asked for. */
import type { Page, Route } from '@playwright/test';

interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** For pages that are opened from now on. */
export async function tellConnection(page: Page, connection: Connection): Promise<void> {
  await page.addInitScript((information) => {
    Object.defineProperty(navigator, 'connection', { value: information, configurable: true });
  }, connection);
}

/** With data saving, so that the data of a page is asked for by the click alone. */
export function fetchNothingAhead(page: Page): Promise<void> {
  return tellConnection(page, { saveData: true, effectiveType: '4g' });
}

/** Keeps the requests back until the returned function is called. */
export async function holdBack(page: Page, url: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route: Route) => {
    await released;
    await route.fallback();
  });
  return release;
}
