/**
 * Markup from outside never runs: in pages and titles, which come through the indexer, in hits, and in
 * what the browser has stored. That no policy was violated either is a rule of every journey.
 */
import type { Page } from '@playwright/test';
import { fragmentOf } from '../support/fragment.js';
import { expect, nextPage, takenOver, test, title } from '../support/fixtures.js';
import { hostilePages, type HostilePages, type IndexedPage } from '../support/hostilePages.js';
import { VECTORS } from '../support/injection.js';
import { addressOf, answerSearch, CORS } from '../support/searchModal.js';

test.use({ expectedErrors: /status of 404|ERR_(INVALID_URL|UNKNOWN_URL_SCHEME|NAME_NOT_RESOLVED)/ });

const START = '/docs/metrics/ndcg';
/** Elements that a page's body may consist of. Whatever else is there came out of a text. */
const ALLOWED =
  /^(a|abbr|annotation|article|aside|blockquote|br|button|caption|circle|clipPath|code|dd|defs|del|details|div|dl|dt|ellipse|em|figcaption|figure|footer|g|h[1-6]|hr|img|input|kbd|li|line|linearGradient|mark|marker|math|m[a-z]+|nav|ol|p|polygon|polyline|pre|radialGradient|rect|section|semantics|small|span|stop|strong|sub|summary|sup|svg|path|table|tbody|td|text|th|thead|time|tr|tspan|ul)$/;

test.beforeEach(({ page }) => {
  page.on('dialog', (dialog) => {
    throw new Error(`a dialog was opened: ${dialog.message()}`);
  });
});

/** What is in the element that no text may have made; also moves the pointer's and the focus's handlers. */
function intruders(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluate((root, allowed) => {
    const pattern = new RegExp(allowed);
    const found: string[] = [];
    for (const element of root.querySelectorAll('*')) {
      element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      element.dispatchEvent(new FocusEvent('focus'));
      if (!pattern.test(element.localName)) found.push(element.localName);
      for (const { name, value } of element.attributes) {
        const isAddress = /^(href|src|action|formaction|data|xlink:href|srcset|poster)$/.test(name);
        if (/^on|^style$|^srcdoc$/.test(name)) found.push(`${element.localName} ${name}`);
        if (isAddress && !/^(https?:|mailto:|\/(?![/\\])|#|[\w.-]+$)/.test(value)) {
          found.push(`${element.localName} ${name}=${value}`);
        }
      }
    }
    return [...new Set(found)];
  }, ALLOWED.source);
}

async function expectNothingRan(page: Page): Promise<void> {
  expect(await page.evaluate(() => '__ran' in globalThis)).toBe(false);
}

test.describe('in pages', () => {
  let hostile: HostilePages;
  test.beforeAll(() => {
    test.setTimeout(120_000);
    hostile = hostilePages();
    console.log(
      `hostile Markdown: ${hostile.pieces} pieces, ${hostile.refused.length} refused with a message`,
    );
  });

  const path = (index: number) => `/docs/hostile/p${index}`;
  function fragment(page: IndexedPage, index: number): object {
    const next = hostile.pages[index + 1];
    return fragmentOf({
      path: path(index),
      title: page.title,
      description: page.description ?? '',
      section: page.section,
      html: page.html,
      toc: page.toc,
      previous: { path: START, title: page.title },
      next: next ? { path: path(index + 1), title: next.title } : null,
    });
  }

  test('refused are addresses that would run something or lead to another host', () => {
    expect(hostile.pieces).toBeGreaterThan(1_000);
    expect(hostile.refused.length).toBeGreaterThan(50);
  });

  test('that the application opens', async ({ page }) => {
    test.setTimeout(240_000);
    await page.route(/\/fragments\/pages\/docs\/hostile\/p(\d+)\.json/, (route) => {
      const index = Number(/p(\d+)\.json/.exec(route.request().url())?.[1]);
      const found = hostile.pages[index];
      return found ? route.fulfill({ json: fragment(found, index) }) : route.abort();
    });
    await page.route(/\/fragments\/pages\/docs\/metrics\/ndcg\.json/, (route) =>
      route.fulfill({ json: { ...fragment(hostile.pages[0] as IndexedPage, 0), path: START } }),
    );
    await page.goto(START);
    await takenOver(page);
    await page.evaluate((target) => {
      const link = document.createElement('a');
      link.href = target;
      link.textContent = 'hostile';
      document.querySelector('header')?.append(link);
    }, path(0));
    await page.getByRole('link', { name: 'hostile', exact: true }).click();
    for (const [index, expected] of hostile.pages.entries()) {
      await expect(page).toHaveURL(path(index));
      await expect(title(page)).toHaveText(expected.title);
      expect(await intruders(page, '[data-page-html]'), expected.path).toEqual([]);
      await expectNothingRan(page);
      if (index + 1 < hostile.pages.length) await nextPage(page).click();
    }
  });

  test('that the server sends', async ({ page }) => {
    test.setTimeout(120_000);
    const PER_DOCUMENT = 10;
    for (let first = 0; first < hostile.pages.length; first += PER_DOCUMENT) {
      const pages = hostile.pages.slice(first, first + PER_DOCUMENT);
      const html = pages.map((one) => one.html).join('');
      await page.route(`**${START}`, async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace(
          /data-page-html="">/,
          (opening) => opening + html,
        );
        await route.fulfill({ response, body });
      });
      await page.goto(START);
      await takenOver(page);
      const texts = await page.locator('[data-page-html]').textContent();
      expect(texts).toContain('__ran');
      expect(await intruders(page, '[data-page-html]')).toEqual([]);
      await expectNothingRan(page);
      await page.unrouteAll();
    }
  });
});

test('in hits: every field of every hit', async ({ page, search }) => {
  test.setTimeout(120_000);
  await page.goto(START);
  await search.open();
  const FIELDS = 3;
  const PER_ANSWER = 10 * FIELDS;
  for (let first = 0; first < VECTORS.length; first += PER_ANSWER) {
    const texts = VECTORS.slice(first, first + PER_ANSWER);
    const rows = Array.from({ length: Math.ceil(texts.length / FIELDS) }, (_, index) => {
      const [folder = 'F', header_1 = 'H', header_2 = ''] = texts.slice(index * FIELDS);
      // Each has a section of its own, so that none is left out of a group.
      return {
        ...{ item_id: header_1, folder: `${index} ${folder}`, header_1, header_2 },
        url: `/docs/p${index}#${encodeURIComponent(header_1)}`,
      };
    });
    await answerSearch(page, (route) =>
      route.fulfill({ headers: CORS, json: { metadata: rows } }),
    );
    await search.searchFor(`img onerror script globalThis ${first}`);
    await expect(search.options).toHaveCount(rows.length);
    await expect(search.options.first()).toContainText((rows[0]?.header_1 ?? '').trim().slice(0, 20));
    expect(await intruders(page, 'dialog')).toEqual([]);
    for (const option of await search.options.all()) {
      expect((await addressOf(option)).origin).toBe(new URL(page.url()).origin);
    }
    await page.unrouteAll();
  }
  await expectNothingRan(page);
});

test('in the query: on the screen without results, and with them', async ({ page, search }) => {
  test.setTimeout(120_000);
  await answerSearch(page, (route) => route.fulfill({ headers: CORS, json: { metadata: [] } }));
  await page.goto(START);
  await search.open();
  for (const vector of VECTORS.filter((_, index) => index % 5 === 0)) {
    await search.searchFor(vector);
    await expect(search.dialog.getByText(/^No results for/).first()).toBeVisible();
    expect(await intruders(page, 'dialog')).toEqual([]);
  }
  await expectNothingRan(page);
});

test('in what the browser has stored', async ({ page, search }) => {
  test.setTimeout(120_000);
  await page.goto(START);
  const KEYS = ['siftwren.search.recent', 'siftwren.search.favorites'] as const;
  const PER_VISIT = 14;
  for (let first = 0; first < VECTORS.length; first += PER_VISIT) {
    const hits = VECTORS.slice(first, first + PER_VISIT).map((vector, index) => ({
      objectID: vector,
      url: vector,
      pathname: `/docs/p${index}`,
      hash: vector,
      hierarchy: { lvl0: vector, lvl1: vector },
      content: vector,
      type: 'content',
      marks: { lvl1: [{ start: 1, end: 9 }], content: [{ start: 0, end: 3 }] },
    }));
    const leading = VECTORS.slice(first, first + 5).map((vector) => ({
      ...hits[0],
      pathname: vector,
    }));
    await page.evaluate(
      ([keys, lists]) =>
        keys.forEach((key, index) => localStorage.setItem(key, JSON.stringify(lists[index]))),
      [KEYS, [hits.slice(0, 4), [...hits.slice(4), ...leading]]] as const,
    );
    await search.open();
    await expect(search.options.first()).toBeVisible();
    expect(await intruders(page, 'dialog')).toEqual([]);
    for (const option of await search.options.all()) {
      expect((await addressOf(option)).origin).toBe(new URL(page.url()).origin);
    }
    await page.keyboard.press('Escape');
    await expect(search.dialog).toBeHidden();
  }
  // Everything else that the site reads from storage.
  for (const vector of VECTORS.filter((_, index) => index % 25 === 0)) {
    await page.evaluate((text) => {
      for (const key of Object.keys(localStorage)) localStorage.setItem(key, text);
      for (const key of ['siftwren.theme', 'siftwren.announcement', 'siftwren.version']) {
        localStorage.setItem(key, text);
      }
      sessionStorage.setItem('siftwren.reloaded', text);
    }, vector);
    await page.reload();
    await expect(title(page)).toHaveText('nDCG');
    expect(await intruders(page, 'main')).toEqual([]);
  }
  await expectNothingRan(page);
});

test('in the address', async ({ page }) => {
  test.setTimeout(120_000);
  for (const vector of VECTORS.filter((_, index) => index % 10 === 0)) {
    const text = encodeURIComponent(vector.replaceAll('\u0000', ''));
    await page.goto(`/docs/${text}?q=${text}#${text}`);
    await takenOver(page);
    await expect(title(page)).toHaveText('Page not found');
    expect(await intruders(page, 'main')).toEqual([]);
  }
  await expectNothingRan(page);
});

test('a text that became markup would be seen', async ({ page, problems }) => {
  await page.goto(START);
  await page.route(/\/fragments\/pages\//, (route) =>
    route.fulfill({
      json: fragmentOf({
        path: '/docs/metrics/recall',
        title: 'Raw',
        html: VECTORS.slice(0, 5).join(''),
      }),
    }),
  );
  await takenOver(page);
  await nextPage(page).click();
  await expect(title(page)).toHaveText('Raw');
  expect((await intruders(page, '[data-page-html]')).length).toBeGreaterThan(0);
  // The policy keeps it from running, and says so.
  await expectNothingRan(page);
  expect(problems.all().some((problem) => problem.startsWith('policy: script-src'))).toBe(true);
  problems.forget();
});
