/**
 * The site when its own host misbehaves, when its code crashes, and when a new build has replaced the
 * one that is open. The browser talks to a server between it and the site, which makes the faults.
 */
import type { Page } from '@playwright/test';
import { fetchNothingAhead } from '../support/connection.js';
import { environment } from '../support/environment.js';
import {
  type Answer,
  cutShort,
  FaultServer,
  html,
  json,
  late,
  reset,
  silence,
  text,
  trickle,
} from '../support/faultServer.js';
import { fragmentOf } from '../support/fragment.js';
import { answers } from '../support/answers.js';
import { expect, nextPage, takenOver, test, title } from '../support/fixtures.js';
import { inEveryLook } from '../support/looks.js';
import { openConsole, operation } from '../support/reference.js';

// The search server does not know the address of the server between.
test.use({
  expectedErrors: /net::ERR_|Failed to fetch|status (of )?\d+|sabotage|crashed|dynamically imported|CORS policy|live search|could not be loaded|siftwren: search|Error: timeout/,
});

const START = '/docs/metrics/ndcg';
const FRAGMENT = /\/fragments\/pages\//;
/** By this the page learns whether its build is gone. */
const BUILD_CHECK = /^HEAD \/assets\/site-/;

const gone = text('not found', 'text/plain', 404);

let host: FaultServer;
test.beforeEach(async () => {
  host = new FaultServer(environment.SIFTWREN_TEST_SITE);
  await host.start('127.0.0.1:0');
});
test.afterEach(() => host.stop());

/** Nothing is fetched ahead, so that what fails is what the reader asks for. */
async function visit(page: Page, path = START): Promise<void> {
  await fetchNothingAhead(page);
  await page.goto(host.origin + path);
  await takenOver(page);
}

/** How often the browser has asked for a page as a document. */
function documents(path: string): number {
  return host.requests.filter((line) => line === `GET ${path}`).length;
}

/** The shell is there, says where to go, and nothing is wider than the window. */
async function expectWhole(page: Page): Promise<void> {
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeAttached();
  await expect(title(page)).toBeInViewport();
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
  ).toBe(true);
}

/** From now on the application crashes when it makes such an element, until the mark is taken away. */
async function breakElement(page: Page, name: string): Promise<void> {
  await page.evaluate((broken) => {
    document.documentElement.dataset.broken = broken;
    const { createElement } = Document.prototype;
    Document.prototype.createElement = function (this: Document, element: string) {
      if (element === document.documentElement.dataset.broken) throw new Error('sabotage');
      return createElement.call(this, element);
    } as typeof createElement;
  }, name);
}

const body = JSON.stringify({ kind: 'home', path: '/docs' });
/** What is said of each is not what is said of the one before it. */
const FAULTS: [string, Answer, RegExp][] = [
  ['a connection that is reset', reset, /check your network connection/],
  ['status 503', text('busy', 'text/plain', 503), /status 503/],
  ['HTML in place of data', html, /not page data/],
  ['wrong types', json({ kind: 'doc', path: 7, html: [] }), /another version: page data\.build/],
  ['an empty answer', text(''), /not page data/],
  ['a list', json([1, 2, 3]), /another version: .* found a list/],
  ['an answer that ends too early', cutShort(body), /check your network connection|not page data/],
  ['nothing', json(null), /another version: .* found null/],
  ['a page of a kind that there is not', json({ kind: 'video', path: '/x' }), /found "video"/],
];

inEveryLook(() => {
  test('a page that does not load says why, and Retry loads it', async ({ page }) => {
    await visit(page);
    for (const [what, answer, reason] of FAULTS) {
      await test.step(what, async () => {
        host.fault(FRAGMENT, answer);
        const isFirst = (await page.getByRole('button', { name: 'Retry' }).count()) === 0;
        if (isFirst) await nextPage(page).click();
        else await page.getByRole('button', { name: 'Retry' }).click();
        await expect(page.getByRole('alert')).toHaveText(reason);
        await expect(title(page)).toHaveText('This page did not load');
        await expect(page).toHaveTitle('This page did not load · siftwren');
        await expectWhole(page);
      });
    }
    host.heal();
    await page.getByRole('button', { name: 'Retry' }).press('Enter');
    await expect(page.getByRole('article')).toBeVisible();
    await expect(title(page)).not.toHaveText('nDCG');
    await expect(title(page)).toBeFocused();
    await expect(page).toHaveTitle(`${await title(page).textContent()} · siftwren`);
    expect(documents(START)).toBe(1);
  });

  test('a page that crashes says so, and Try again loads it', async ({ page }) => {
    await visit(page);
    await breakElement(page, 'article');
    await nextPage(page).click();
    await expect(title(page)).toHaveText('This page crashed.');
    await expect(page.getByRole('alert')).toHaveText('sabotage');
    await expectWhole(page);
    const [path = ''] = new URL(page.url()).pathname.split('?');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await expect(page.getByRole('article')).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
  });

  test('a path without a page: what it may have meant, by click and on arrival', async ({
    page,
  }) => {
    await visit(page, '/docs/metrik/ndgc');
    await expect(page).toHaveTitle('Page not found · siftwren');
    await expect(page.getByRole('main')).toContainText('/docs/metrik/ndgc');
    await expectWhole(page);
    await page.getByRole('main').getByRole('link', { name: 'nDCG', exact: true }).click();
    await expect(title(page)).toHaveText('nDCG');
    await page.goBack();
    await expect(title(page)).toHaveText('Page not found');
    await expect(
      page.getByRole('main').getByRole('link', { name: 'nDCG', exact: true }),
    ).toBeVisible();
  });
});

test('a page whose data comes a byte a second, or never, can be left for another', async ({
  page,
}) => {
  await visit(page);
  for (const answer of [trickle(body), silence]) {
    host.fault(FRAGMENT, answer);
    await nextPage(page).click();
    await expect(page.getByRole('progressbar')).toBeVisible();
    await expect(title(page)).toHaveText('nDCG');
    host.heal();
    await page.getByRole('navigation', { name: 'Documentation' }).getByText('Recall').click();
    await expect(title(page)).toHaveText('Recall');
    await expect(page.getByRole('progressbar')).toBeHidden();
    await page.goBack();
    await expect(title(page)).toHaveText('nDCG');
  }
});

test('an older page that comes late does not replace a newer one', async ({ page }) => {
  await visit(page);
  const menu = page.getByRole('navigation', { name: 'Documentation' });
  const recall = json(fragmentOf({ path: '/docs/metrics/recall', title: 'Late' }));
  host.fault(/metrics\/recall\.json/, late(600, recall));
  await menu.getByText('Recall').click();
  await menu.getByText('Precision', { exact: true }).click();
  await expect(title(page)).toHaveText('Precision');
  await page.waitForTimeout(900);
  await expect(title(page)).toHaveText('Precision');
  await expect(page).toHaveURL(/precision$/);
});

test('a crash of the search leaves the page, and the search opens again', async ({
  page,
  search,
}) => {
  await visit(page);
  await search.open();
  await breakElement(page, 'mark');
  await page.keyboard.type('recall');
  await expect(page.getByRole('status').filter({ hasText: 'The search crashed' })).toBeVisible();
  await expect(title(page)).toHaveText('nDCG');
  await page.evaluate(() => document.documentElement.removeAttribute('data-broken'));
  await search.open();
  await page.keyboard.type('recall');
  await expect(search.dialog.getByRole('option').first()).toBeVisible();
});

test.describe('after a new deployment', () => {
  test('the reader arrives where they were going; where that does not help, once', async ({
    page,
  }) => {
    await visit(page);
    host.fault(/\/assets\/nav-connectors/, gone);
    host.fault(BUILD_CHECK, gone);
    const link = page.getByRole('navigation', { name: 'Documentation' }).getByText('Connectors');
    const path = (await link.getAttribute('href')) ?? '';
    await link.click();
    await expect(page).toHaveURL(host.origin + path);
    await expect(page.getByRole('article')).toBeVisible();
    expect(documents(path)).toBe(1);

    // The host still gives the old build: the next time the page says what is wrong.
    await visit(page);
    await link.click();
    await expect(page.getByRole('alert')).toHaveText('The list of the section is missing.');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('alert')).toHaveText('The list of the section is missing.');
    expect(documents(path)).toBe(1);
    host.heal();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('article')).toBeVisible();
    expect(documents(path)).toBe(1);
  });

  test('as long as the build is there, a missing file is a failure with Retry', async ({ page }) => {
    await visit(page);
    host.fault(/\/assets\/nav-connectors/, gone);
    const link = page.getByRole('navigation', { name: 'Documentation' }).getByText('Connectors');
    await link.click();
    await expect(page.getByRole('alert')).toHaveText('The list of the section is missing.');
    expect(documents((await link.getAttribute('href')) ?? '')).toBe(0);
  });

  test('the search of a build that is gone: one reload, then a message, never a loop', async ({
    page,
  }) => {
    await page.goto(host.origin + START);
    host.fault(/\/assets\/.*\.(js|json)(\?|$)/, gone);
    const reloaded = page.waitForEvent('domcontentloaded');
    await page.keyboard.press('/');
    await reloaded;
    await answers(page);
    expect(documents(START)).toBe(2);
    await expect(title(page)).toHaveText('nDCG');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await page.keyboard.press('/');
      await expect(
        page.getByRole('status').filter({ hasText: 'Search could not be loaded' }),
      ).toBeVisible();
      await page.getByRole('button', { name: 'Close' }).click();
    }
    expect(documents(START)).toBe(2);
    await expect(title(page)).toHaveText('nDCG');
  });

  test('without a network nothing is reloaded: the page stays', async ({ page }) => {
    await page.goto(host.origin + START);
    await host.stop();
    await page.keyboard.press('/');
    await expect(
      page.getByRole('status').filter({ hasText: 'Search could not be loaded' }),
    ).toBeVisible();
    await expect(title(page)).toHaveText('nDCG');
    expect(documents(START)).toBe(1);
  });
});

for (const [what, file] of [
  ['the application', /\/assets\/client-.*\.js/],
  ['the search', /\/assets\/search-.*\.js/],
  ['the sheet of the search', /\/assets\/search-.*\.css/],
] as const) {
  test(`${what} that did not load is loaded at the next attempt`, async ({ page, search }) => {
    await page.goto(host.origin + START);
    host.fault(file, reset);
    // By pointing at it nothing is seen to fail.
    await page.getByRole('button', { name: 'Search docs' }).hover();
    await page.keyboard.press('/');
    await expect(
      page.getByRole('status').filter({ hasText: 'Search could not be loaded' }),
    ).toBeVisible();
    host.heal();
    await search.open();
    await search.searchFor('recall');
    await expect(search.options.first()).toBeVisible();
    await expect(search.dialog).toHaveCSS('display', 'flex');
    await expect(title(page)).toHaveText('nDCG');
  });
}

for (const [what, file] of [
  ['worker', /\/assets\/searchWorker-.*\.js/],
  ['module', /\.wasm/],
] as const) {
  for (const [name, fault] of [
    ['is reset', reset],
    ['is HTML', html],
    ['is unavailable', text('busy', 'text/plain', 503)],
    ['is gone', gone],
    ['ends too early', cutShort('(module')],
  ] as const) {
    test(`a search whose ${what} ${name} says so, and brings it with the next query`, async ({
      page,
      search,
    }) => {
      host.fault(file, fault);
      await page.goto(host.origin + START);
      await search.open();
      await search.searchFor('recall');
      await expect(search.dialog.getByText('Unable to fetch results').first()).toBeVisible();
      host.heal();
      await search.searchFor('precision');
      await search.expectHits('offline');
    });
  }
}

for (const [what, file] of [
  ['the console', /\/assets\/api-.*\.js/],
  ['the sheet of the console', /\/assets\/api-.*\.css/],
] as const) {
  test(`${what} that did not load is loaded at the next attempt, once`, async ({ page }) => {
    await visit(page, '/docs/api/datasets');
    host.fault(file, reset);
    const form = await openConsole(page, 'list_datasets');
    await expect(
      page.getByRole('status').filter({ hasText: 'The console could not be loaded' }),
    ).toBeVisible();
    host.heal();
    await openConsole(page, 'list_datasets');
    await expect(form).toHaveCSS('display', 'grid');
    const asked = host.requests.length;
    // What is open is closed, and does not open once more.
    await openConsole(page, 'list_datasets');
    await expect(form).toHaveCount(0);
    expect(host.requests.slice(asked)).toEqual([]);
  });
}

test('the sheet of a reference that did not load is loaded by Retry', async ({ page }) => {
  await visit(page);
  host.fault(/\/assets\/referenceStyles-.*\.css/, reset);
  await page.getByRole('banner').getByRole('link', { name: 'API', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText(/page could not be fetched\. .* check your network/);
  host.heal();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.locator('.calls').first()).toHaveCSS('list-style-type', 'none');
});

test('the sheet of a reference that never comes is given up, and loaded by Retry', async ({ page }) => {
  const asked = () => host.requests.filter((line) => line.includes('/referenceStyles-')).length;
  await page.clock.install();
  await visit(page);
  host.fault(/\/assets\/referenceStyles-.*\.css/, silence);
  await page.getByRole('banner').getByRole('link', { name: 'API', exact: true }).click();
  const retry = page.getByRole('button', { name: 'Retry' });
  for (const attempt of [1, 2]) {
    await expect.poll(asked).toBe(attempt);
    await page.clock.fastForward(31_000);
    await expect(retry).toHaveAttribute('aria-busy', 'false');
    await expect(page.getByRole('alert')).toHaveText(/page could not be fetched\. .* check your network/);
    if (attempt === 2) host.heal();
    await retry.click();
  }
  await expect(page.locator('.calls').first()).toHaveCSS('list-style-type', 'none');
});

test('a search that never comes is given up, and opens once there is an answer', async ({
  page,
  search,
}) => {
  await page.clock.install();
  await page.addInitScript(() => {
    // By the clock of the page.
    AbortSignal.timeout = (milliseconds) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), milliseconds);
      return controller.signal;
    };
  });
  host.fault(/\/assets\/client-.*\.js/, silence);
  await page.goto(host.origin + START);
  const button = page.getByRole('button', { name: 'Search docs' });
  await page.keyboard.press('/');
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await page.clock.fastForward(29_000);
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await page.clock.fastForward(2_000);
  const message = page.getByRole('status').filter({ hasText: 'Search could not be loaded' });
  await expect(message).toBeVisible();
  await expect(button).toHaveAttribute('aria-busy', 'false');
  await expect(title(page)).toHaveText('nDCG');

  host.heal();
  // What was asked for meanwhile does not come either, and keeps nobody from asking again.
  await page.clock.fastForward(31_000);
  await page.keyboard.press('/');
  await page.keyboard.type('recall');
  await expect(search.field).toHaveValue('recall');
});

test('a console that is on its way says so', async ({ page }) => {
  await visit(page, '/docs/api/datasets');
  host.fault(/\/assets\/api-.*\.js/, silence);
  const button = operation(page, 'list_datasets').getByRole('button', { name: /^Try it/ });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect(button).toHaveCSS('cursor', 'progress');
});

test.describe('what was on its way when the reader asked, and does not arrive, is asked for again', () => {
  const unavailable = late(1_000, text('busy', 'text/plain', 503));

  async function pressWhileLoading(page: Page, file: RegExp, press: () => Promise<void>) {
    host.fault(file, unavailable);
    await page.goto(host.origin + START);
    const isAskedFor = () => host.requests.some((line) => file.test(line));
    await expect.poll(isAskedFor).toBe(true);
    host.heal();
    await press();
    await expect(page.getByText('could not be loaded')).toHaveCount(0);
  }

  test('the application', async ({ page, search }) => {
    await pressWhileLoading(page, /\/assets\/client-.*\.js/, () => search.open());
  });

  test('the menu', async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 700 });
    await pressWhileLoading(page, /\/assets\/later-.*\.js/, async () => {
      await page.getByRole('button', { name: 'Open the menu' }).click();
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
    });
  });
});
