/** The search modal as a reader meets it. */
import { expect, type Locator, type Page, type Request, type Route } from '@playwright/test';
import { answers } from './answers.js';
import { PLATFORM_ORIGIN } from './environment.js';

const MODEL = 'siftwren_docs_search_model';
export const RETRIEVE_URL = `${PLATFORM_ORIGIN}/v1/models/${MODEL}/retrieve`;

export class SearchModal {
  readonly dialog: Locator;
  readonly field: Locator;
  readonly options: Locator;
  /** The option that Enter opens. */
  readonly selected: Locator;
  readonly offlineNote: Locator;
  readonly #page: Page;

  /** The names are those of a page in English, unless they are given. */
  constructor(page: Page, { dialog = 'Search docs', field = 'Type to start searching' } = {}) {
    this.#page = page;
    this.dialog = page.getByRole('dialog', { name: dialog });
    this.field = this.dialog.getByPlaceholder(field);
    this.options = this.dialog.getByRole('option');
    this.selected = this.dialog.getByRole('option', { selected: true });
    this.offlineNote = this.dialog.getByText('Results from the offline index', { exact: true });
  }

  async open(): Promise<void> {
    await answers(this.#page);
    await this.#page.keyboard.press('/');
    await expect(this.field).toBeFocused();
  }

  /** Types the whole query at once, so that it is one search. */
  async searchFor(query: string): Promise<void> {
    await this.field.fill(query);
  }

  /** Results, and the mark by which the reader knows where they come from. */
  async expectHits(from: 'live' | 'offline'): Promise<void> {
    await expect(this.options.first()).toBeVisible();
    if (from === 'live') {
      await expect(this.dialog.getByRole('status')).toHaveText(/^\d+ results?$/);
      await expect(this.offlineNote).toBeHidden();
    } else {
      await expect(this.dialog.getByRole('status')).toHaveText(
        /^\d+ results? from the offline index$/,
      );
      await expect(this.offlineNote).toBeVisible();
    }
  }

  /** Moves the selection until the option leads to a place that `wanted` accepts; returns its address. */
  async select(wanted: (url: URL) => boolean): Promise<URL> {
    const total = await this.options.count();
    for (let step = 0; step < total; step += 1) {
      const url = await addressOf(this.selected);
      if (wanted(url)) return url;
      await this.#page.keyboard.press('ArrowDown');
    }
    throw new Error(`none of ${total} results leads to a wanted place`);
  }
}

/** Where an option leads. */
export function addressOf(option: Locator): Promise<URL> {
  return option.evaluate((link) => (link as HTMLAnchorElement).href).then((href) => new URL(href));
}

/** Every search call of the page, in order. */
export function recordSearchCalls(page: Page): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (request.url() === RETRIEVE_URL && request.method() === 'POST') calls.push(request);
  });
  return calls;
}

/** Answers the search call in the platform's place. */
export async function answerSearch(
  page: Page,
  answer: (route: Route) => Promise<void>,
): Promise<void> {
  await page.route(RETRIEVE_URL, answer);
}

/** The header without which a browser keeps the answer from the page. */
export const CORS = { 'access-control-allow-origin': '*' };
