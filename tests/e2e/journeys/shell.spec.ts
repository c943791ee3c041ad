/** What surrounds every page: theme, menu, announcement, navigation, pages that are not there. */
import type { Page, Route } from '@playwright/test';
import { fetchNothingAhead, holdBack, tellConnection } from '../support/connection.js';
import { expect, nextPage, settled, takenOver, test, title } from '../support/fixtures.js';
import { restyledElements } from '../support/restyled.js';

const START = '/docs/overview/quickstart';
const PHONE = { width: 375, height: 800 };
const DESKTOP = { width: 1280, height: 800 };

/** How light the page's background is on the screen, from 0 to 255. */
function lightness(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', {
      // Kept by the processor: a first canvas on the graphics side waits for that to start.
      willReadFrequently: true,
    });
    if (canvas === null) throw new Error('no canvas');
    for (const element of [document.documentElement, document.body]) {
      canvas.fillStyle = getComputedStyle(element).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    if (alpha !== 255) throw new Error('the page has no background');
    return (red + green + blue) / 3;
  });
}

declare global {
  interface Window {
    moved: string[];
  }
}

/** Runs in the page: lists what of its content has moved. */
function watchShifts(): void {
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      sources: { node?: Node }[];
    })[]) {
      for (const { node } of entry.sources) {
        const element = node instanceof Element ? node : node?.parentElement;
        if (element?.closest('main')) window.moved.push(element.outerHTML);
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

async function expectTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await expect
    .poll(async () => ((await lightness(page)) < 128 ? 'dark' : 'light'))
    .toBe(theme);
  const other = theme === 'dark' ? 'light' : 'dark';
  await expect(page.getByRole('button', { name: `Switch to ${other} mode` })).toBeVisible();
}

test.describe('theme', () => {
  test('follows the system while the reader has chosen nothing', async ({ page }) => {
    await page.goto(START);
    await expectTheme(page, 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expectTheme(page, 'light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectTheme(page, 'dark');
  });

  test('the reader’s choice wins and stays, on other pages too', async ({ page }) => {
    await page.goto(START);
    await page.getByRole('button', { name: 'Switch to light mode' }).click();
    await expectTheme(page, 'light');
    await page.reload();
    await expectTheme(page, 'light');
    await page.goto('/docs/metrics/ndcg');
    await expectTheme(page, 'light');
    await page.getByRole('button', { name: 'Switch to dark mode' }).click();
    await page.emulateMedia({ colorScheme: 'light' });
    await expectTheme(page, 'dark');
    await page.reload();
    await expectTheme(page, 'dark');
  });

  test('is the same in all tabs', async ({ page, context }) => {
    const other = await context.newPage();
    await other.goto('/docs/metrics/ndcg');
    await settled(other);
    await page.goto(START);
    await page.getByRole('button', { name: 'Switch to light mode' }).click();
    await expectTheme(page, 'light');
    await expectTheme(other, 'light');
    await other.getByRole('button', { name: 'Switch to dark mode' }).click();
    await expectTheme(page, 'dark');
    // Nobody tells a page that was left of it.
    await page.goto('/docs/metrics/recall');
    await other.getByRole('button', { name: 'Switch to light mode' }).click();
    await page.goBack();
    await expectTheme(page, 'light');
  });

  test('a stored choice is there before the first paint', async ({ page }) => {
    await page.goto(START);
    await page.getByRole('button', { name: 'Switch to light mode' }).click();
    await expectTheme(page, 'light');
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { __backgrounds: seen });
      const look = () => {
        if (document.body) seen.push(getComputedStyle(document.documentElement).colorScheme);
        if (seen.length < 10) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.reload();
    await expectTheme(page, 'light');
    const seen = await page.evaluate(
      () => (globalThis as unknown as { __backgrounds: string[] }).__backgrounds,
    );
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen).size, seen.join(', ')).toBe(1);
  });
});

test.describe('menu of narrow screens', () => {
  test.use({ viewport: PHONE });

  test.beforeEach(async ({ page }) => {
    await page.goto(START);
    await expect(page.getByRole('navigation', { name: 'Documentation' })).not.toBeInViewport();
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Close the menu' })).toBeFocused();
  });

  test('Escape closes it and gives the focus back', async ({ page }) => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Documentation' })).not.toBeInViewport();
    await expect(page.getByRole('button', { name: 'Open the menu' })).toBeFocused();
    await expect(page).toHaveURL(START);
  });

  test('Back closes it and stays on the page', async ({ page }) => {
    await page.goBack();
    await expect(page.getByRole('navigation', { name: 'Documentation' })).not.toBeInViewport();
    await expect(page).toHaveURL(START);
    await expect(title(page)).toHaveText('Quickstart');
  });

  test('a link in it leads to its page and closes it', async ({ page }) => {
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Metrics' })
      .click();
    await expect(page).toHaveURL(/\/docs\/metrics\//);
    await expect(page.getByRole('navigation', { name: 'Documentation' })).not.toBeInViewport();
    await expect(title(page)).toBeInViewport();
  });

  test('it closes when the window grows wide', async ({ page }) => {
    await page.setViewportSize({ ...PHONE, width: 995 });
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeInViewport();
    await page.setViewportSize({ ...PHONE, width: 996 });
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Documentation' })).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Open the menu' })).toBeHidden();
    // The button that had the focus has gone; the list goes on from the page that is shown.
    await expect(
      page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', {
        name: 'Quickstart',
      }),
    ).toBeFocused();
    await page.getByRole('main').getByRole('link').first().focus();
    await expect(page.getByRole('main').getByRole('link').first()).toBeFocused();
  });

  test('the focus cannot leave it', async ({ page }) => {
    for (let press = 0; press < 40; press += 1) {
      await page.keyboard.press('Tab');
      const isInside = await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement === document.body || activeElement?.closest('[role=dialog]') !== null;
      });
      expect(isInside, `after ${press + 1} times Tab`).toBe(true);
    }
  });
});

test.describe('announcement', () => {
  test('it is shown until it is dismissed, and then never again', async ({ page }) => {
    await page.goto(START);
    const announcement = page.getByRole('region', { name: 'Announcement' });
    await expect(announcement).toBeVisible();
    await announcement.getByRole('button', { name: 'Dismiss the announcement' }).click();
    await expect(announcement).toBeHidden();
    await page.reload();
    await expect(title(page)).toBeVisible();
    await expect(announcement).toBeHidden();
    await page.goto('/docs/metrics/ndcg');
    await expect(announcement).toBeHidden();
  });

  test('dismissed by key, it leaves the focus to the bar below', async ({ page }) => {
    const later = await holdBack(page, /\/assets\/later-.*\.js/);
    for (const isLaterThere of [false, true]) {
      await page.goto(START);
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      if (isLaterThere) await settled(page);
      await page.getByRole('button', { name: 'Dismiss the announcement' }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('region', { name: 'Announcement' })).toBeHidden();
      later();
      await expect(
        page.getByRole('banner').getByRole('link', { name: 'siftwren', exact: true }),
      ).toBeFocused();
    }
  });

  test('another announcement is shown to a reader who has dismissed one', async ({ page }) => {
    await page.goto(START);
    await page.evaluate(() =>
      localStorage.setItem('siftwren.announcement.dismissed', 'an older one'),
    );
    await page.reload();
    await expect(page.getByRole('region', { name: 'Announcement' })).toBeVisible();
  });
});

test.describe('navigation within the site', () => {
  /** Set on the window: gone as soon as the document is loaded anew. */
  async function mark(page: Page): Promise<void> {
    await page.evaluate(() => Object.assign(globalThis, { __marked: true }));
  }

  function isMarked(page: Page): Promise<boolean> {
    return page.evaluate(() => '__marked' in globalThis);
  }

  test('a link changes the page without loading the document', async ({ page }) => {
    await page.goto('/docs/metrics/ndcg');
    await takenOver(page);
    await mark(page);
    await nextPage(page).scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate(() => window.scrollY);
    expect(scrolled).toBeGreaterThan(0);
    const target = await nextPage(page).getAttribute('href');
    await nextPage(page).click();

    await expect(page).toHaveURL(target ?? '');
    await expect(title(page)).not.toHaveText('nDCG');
    await expect(title(page)).toBeFocused();
    await expect(title(page)).toBeInViewport();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await expect(page).toHaveTitle(`${await title(page).textContent()} · siftwren`);
    await expect(
      page.getByRole('navigation', { name: 'Documentation' }).locator('[aria-current=page]'),
    ).toHaveAttribute('href', target ?? '');

    await page.goBack();
    await expect(title(page)).toHaveText('nDCG');
    await expect(page).toHaveTitle('nDCG · siftwren');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled);
    expect(await isMarked(page)).toBe(true);
  });

  test('Back and Forward lead to where the reader was on each entry, and to the link', async ({
    page,
  }) => {
    const top = () => page.evaluate(() => Math.round(window.scrollY));
    // Not by the mouse, which would bring the link into view first.
    const goTo = (id: string) =>
      page.locator(`main a[href="#${id}"]`).first().evaluate((link: HTMLElement) => link.click());
    await page.goto('/docs/metrics/ndcg');
    await takenOver(page);
    await page.evaluate(() => window.scrollBy(0, 200));
    await expect.poll(top).toBe(200);
    // Anchors of the page are the business of the browser.
    await goTo('edge-cases');
    await expect(page.locator('#edge-cases')).toBeInViewport();
    const edgeCases = await top();
    await goTo('definition');
    await expect(page.locator('#definition')).toBeInViewport();
    await expect.poll(top).toBeLessThan(edgeCases);
    const definition = await top();
    await page.evaluate(() => window.scrollBy(0, 50));
    await expect.poll(top).toBe(definition + 50);

    const link = page.getByRole('main').locator('p > a[href="/docs/metrics/recall"]').first();
    await link.focus();
    const left = await top();
    await link.press('Enter');
    await expect(title(page)).toBeFocused();
    await expect(title(page)).toHaveText('Recall');
    expect(await top()).toBe(0);

    await page.goBack();
    await expect(title(page)).toHaveText('nDCG');
    await expect.poll(top).toBe(left);
    await expect(link).toBeFocused();
    await page.goBack();
    await expect(page).toHaveURL(/#edge-cases$/);
    await expect.poll(top).toBe(edgeCases);
    await page.goBack();
    await expect(page).toHaveURL(/\/ndcg$/);
    await expect.poll(top).toBe(200);
    await page.goForward();
    await expect.poll(top).toBe(edgeCases);
    // Nothing asks for the application before Back does.
    await page.reload();
    await expect.poll(top).toBe(edgeCases);
    await settled(page);
    await page.goBack();
    await expect.poll(top).toBe(200);
  });

  test('a link to a section of another page leads to it, and the keyboard goes on from there', async ({
    page,
  }) => {
    await page.goto('/docs/overview/welcome');
    await takenOver(page);
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = '/docs/metrics/ndcg#edge-cases';
      link.textContent = 'Edge cases';
      document.querySelector('main .prose')?.prepend(link);
      link.focus();
    });
    await page.keyboard.press('Enter');
    const heading = page.locator('#edge-cases');
    await expect(heading).toBeFocused();
    await expect(heading).toBeInViewport();
    const y = async () => Math.round((await heading.boundingBox())?.y ?? 0);
    const routed = await y();
    await page.reload();
    await expect.poll(y).toBe(routed);
  });

  for (const height of [800, 1600]) {
    test(`the frame that brings a long page has what is seen of it, the next ones have all: ${height} px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 1280, height });
      await page.goto('/docs/overview/welcome');
      await takenOver(page);
      const frames = page.evaluate(async () => {
        const frame = () => new Promise(requestAnimationFrame);
        const look = () => {
          const blocks = [...document.querySelectorAll('main .prose > *')];
          const shown = blocks.filter((block) => getComputedStyle(block).display !== 'none');
          const end = shown.at(-1)?.getBoundingClientRect().bottom ?? 0;
          return { isWhole: shown.length === blocks.length, fillsScreen: end > innerHeight };
        };
        while (document.querySelector('main h1')?.textContent !== 'Quickstart') await frame();
        const first = look();
        while (document.activeElement?.localName !== 'h1') await frame();
        return { first, then: look() };
      });
      const menu = page.getByRole('navigation', { name: 'Documentation' });
      await menu.getByRole('link', { name: 'Quickstart', exact: true }).click();
      const { first, then } = await frames;
      expect(first).toEqual({ isWhole: false, fillsScreen: true });
      expect(then).toEqual({ isWhole: true, fillsScreen: true });
    });
  }

  test('a link in the text to a section leads to that section', async ({ page }) => {
    await page.goto('/docs/connectors/custom');
    await takenOver(page);
    await mark(page);
    const link = page.getByRole('main').locator('a[href^="#"]:visible').last();
    const id = decodeURIComponent(((await link.getAttribute('href')) ?? '').slice(1));
    await link.click();
    await expect(page.locator(`[id="${id}"]`)).toBeInViewport();
    await expect(page).toHaveURL(new RegExp(`#${id}$`));
    expect(await isMarked(page)).toBe(true);
  });

  test('an address with an anchor shows its section below the fixed bar', async ({ page }) => {
    await page.goto('/docs/connectors/custom#column-value-types');
    const heading = page.locator('#column-value-types');
    await expect(heading).toBeInViewport();
    const bar = await page.getByRole('banner').boundingBox();
    const box = await heading.boundingBox();
    expect(box?.y ?? 0).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  });

  test('a slow page shows the progress bar, after 200 ms', async ({ page }) => {
    await fetchNothingAhead(page);
    await page.goto('/docs/metrics/ndcg');
    await takenOver(page);
    const release = await holdBack(page, /\/fragments\/pages\//);
    /** From the click to the first frame in which the bar can be seen, by the page's own clock. */
    const time = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          document.addEventListener('click', () => {
            const clicked = performance.now();
            const look = () => {
              const bar = document.querySelector('[role=progressbar]');
              const isSeen =
                bar?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ?? false;
              if (isSeen) resolve(performance.now() - clicked);
              else requestAnimationFrame(look);
            };
            look();
          });
        }),
    );
    await nextPage(page).click();
    expect(await time).toBeGreaterThanOrEqual(200);
    release();
    await expect(title(page)).not.toHaveText('nDCG');
    await expect(page.getByRole('progressbar')).toBeHidden();
  });

  test('neither scrolling nor waiting for a page makes the browser compute the styles of all of it', async ({
    page,
  }) => {
    await page.setViewportSize(DESKTOP);
    await fetchNothingAhead(page);
    await page.goto(START);
    await takenOver(page);
    const elements = await page.locator('*').count();
    const bar = page.getByRole('banner');
    const scrolled = await restyledElements(page, async () => {
      await page.mouse.move(640, 400);
      await page.mouse.wheel(0, 900);
      await expect(bar).not.toBeInViewport();
      await page.mouse.wheel(0, -300);
      await expect(bar).toBeInViewport();
    });
    expect(scrolled).toBeLessThan(elements / 2);
    const release = await holdBack(page, /\/fragments\/pages\//);
    const waited = await restyledElements(page, async () => {
      await nextPage(page).click();
      await expect(page.getByRole('progressbar')).toBeVisible();
    });
    expect(waited).toBeLessThan(elements / 2);
    release();
    await expect(page.getByRole('progressbar')).toBeHidden();
  });

  test.describe('when the page data does not come', () => {
    test.use({ expectedErrors: /ERR_FAILED|status of 503/ });

    test('a page that does not load says so, and Retry loads it', async ({ page }) => {
      await fetchNothingAhead(page);
      await page.goto('/docs/metrics/ndcg');
      await takenOver(page);
      await mark(page);
      const failures: [RegExp, (route: Route) => Promise<void>][] = [
        [/network connection/, (route) => route.abort()],
        [/status 503/, (route) => route.fulfill({ status: 503, body: 'busy' })],
        [
          /not page data/,
          (route) => route.fulfill({ contentType: 'text/html', body: '<h1>no data</h1>' }),
        ],
        [/another version/, (route) => route.fulfill({ json: { kind: 'doc', html: 7 } })],
      ];
      // Not by the number of requests: pointing at a link asks for its page, too.
      let answer = (route: Route) => route.continue();
      await page.route(/\/fragments\/pages\//, (route) => answer(route));
      const retry = page.getByRole('button', { name: 'Retry' });
      for (const [index, [text, failure]] of failures.entries()) {
        answer = failure;
        await (index === 0 ? nextPage(page) : retry).click();
        await expect(page.getByRole('alert')).toHaveText(text);
      }
      answer = (route) => route.continue();
      await expect(page.getByRole('navigation', { name: 'Documentation' })).toBeVisible();
      await retry.click();
      await expect(page.getByRole('article')).toBeVisible();
      await expect(retry).toBeHidden();
      expect(await isMarked(page)).toBe(true);
    });
  });
});

test.describe('a path without a page', () => {
  test.use({ expectedErrors: /status of 404|ERR_FAILED.*\/(missing|client)-/ });

  for (const path of ['/docs/no-such-page', '/nothing', '/docs/metrics/ndcg/deeper']) {
    test(`${path} is the site’s own not-found page`, async ({ page, search }) => {
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      await expect(title(page)).toHaveText('Page not found');
      await expect(page).toHaveTitle('Page not found · siftwren');
      await search.open();
      await search.searchFor('ndcg');
      await search.expectHits('live');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Go to the start page' }).click();
      await expect(page).toHaveURL('/docs');
      await expect(title(page)).toBeVisible();
    });
  }

  for (const path of [
    '/docs/metrics/ndcg.html',
    '/docs/metrics/ndcg/index.html',
    '/docs/metrics/ndcg/',
  ]) {
    test(`${path} is the page without the ending`, async ({ page }) => {
      await page.goto(path);
      await expect(title(page)).toHaveText('nDCG');
      await expect(page.getByRole('article')).toBeVisible();
      await takenOver(page);
      await expect(title(page)).toHaveText('nDCG');
    });
  }

  for (const [part, name] of [
    ['missing', 'the script of such pages'],
    ['client', 'the application'],
  ] as const) {
    test(`what it may have meant comes without ${name}`, async ({ page }) => {
      await page.addInitScript(watchShifts);
      const lost = new RegExp(`/${part}-[^/]*\\.js$`);
      await page.route(lost, (route) => route.abort());
      await page.goto('/docs/metrik/ndgc');
      const near = page.getByRole('main').getByRole('link', { name: 'nDCG', exact: true });
      if (part === 'client') {
        await expect(near).toBeVisible();
        expect(await page.evaluate(() => window.moved)).toEqual([]);
        await page.unroute(lost);
      }
      await takenOver(page);
      await expect(near).toBeVisible();
      await expect(page.getByRole('main')).toContainText('/docs/metrik/ndgc');
      await expect(page.getByRole('main').getByRole('button')).toContainText('metrik ndgc');
      await near.click();
      await expect(title(page)).toHaveText('nDCG');
    });
  }

  test('the address of a folder is answered by the page that stands for it', async ({ page }) => {
    for (const [folder, answer] of [
      ['/docs/metrics', '/docs/metrics/overview'],
      ['/docs/overview', '/docs/overview/welcome'],
    ] as const) {
      await page.goto(folder);
      const near = page.getByRole('main').getByRole('status').getByRole('link');
      await expect(near.first()).toHaveAttribute('href', answer);
    }
  });

  test('pages that are called alike are told apart', async ({ page }) => {
    await page.goto('/docs/modelz');
    const near = page.getByRole('main').getByRole('status').getByRole('link');
    const names = ['API v1 › Models', 'API v1 › Schemas › Models', 'API v2 › Models', 'API v2 › Schemas › Models'];
    await expect(near).toHaveText(names);
    await takenOver(page);
    await expect(near).toHaveText(names);
  });

  test('markup in the path is text', async ({ page }) => {
    await page.goto('/docs/%3Cimg%20src=x%20onerror=alert(1)%3E');
    await takenOver(page);
    await expect(title(page)).toHaveText('Page not found');
    expect(await page.getByRole('main').locator('img').count()).toBe(0);
  });
});

test('the first press of Tab offers to skip to the content', async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await page.goto('/docs/metrics/ndcg');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const isInMain = await page.evaluate(() => document.activeElement?.closest('main') !== null);
  expect(isInMain).toBe(true);
});

test.describe('the second press of Tab', () => {
  const skip = (page: Page) => page.getByRole('link', { name: 'Skip to the list of pages' });
  const pressTab = async (page: Page, presses: number) => {
    for (let press = 0; press < presses; press += 1) await page.keyboard.press('Tab');
  };
  const expectInList = (page: Page) =>
    expect(
      page.getByRole('navigation', { name: 'Documentation' }).locator(':focus'),
    ).toHaveCount(1);

  test('offers to skip to the list of pages, before and after the application is there', async ({
    page,
  }) => {
    await page.setViewportSize(DESKTOP);
    await page.goto('/docs/metrics/ndcg');
    for (let round = 0; round < 2; round += 1) {
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.getByRole('link', { name: 'Skip to content' }).focus();
      await pressTab(page, 1);
      await expect(skip(page)).toBeFocused();
      await expect(skip(page)).toBeInViewport();
      await page.keyboard.press('Enter');
      await pressTab(page, 1);
      await expectInList(page);
      await takenOver(page);
    }
  });

  test('offers nothing where the list is in a closed menu, or there is none', async ({ page }) => {
    await page.setViewportSize(PHONE);
    await page.goto('/docs/metrics/ndcg');
    await pressTab(page, 2);
    await expect(skip(page)).toBeHidden();
    await page.setViewportSize(DESKTOP);
    await expect(skip(page)).toBeAttached();
    await page.goto('/docs');
    await expect(skip(page)).toHaveCount(0);
  });

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false, viewport: PHONE });

    test('offers it on a phone as well, where the list is at the end', async ({ page }) => {
      await page.goto('/docs/metrics/ndcg');
      await pressTab(page, 2);
      await expect(skip(page)).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('navigation', { name: 'Main, in the menu' })).toBeInViewport();
    });
  });
});

test('whoever walks through a page by Tab sees where the focus is', async ({ page }) => {
  for (const path of ['/docs', '/docs/metrics/ndcg']) {
    await page.goto(path);
    const seen = new Set<string>();
    for (let press = 0; press < 30; press += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => {
        const { activeElement: element } = document;
        if (element === null || element === document.body) return null;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        const box = element.getBoundingClientRect();
        return {
          name: element.outerHTML.slice(0, 100),
          isMarked: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
          isOnScreen: box.width > 0 && box.bottom > 0 && box.top < innerHeight,
        };
      });
      if (focused === null) continue;
      expect(focused, `${path}, ${press + 1} times Tab`).toMatchObject({
        isMarked: true,
        isOnScreen: true,
      });
      seen.add(focused.name);
    }
    expect(seen.size, 'controls that were reached').toBeGreaterThan(10);
  }
});

test('what a screen reader finds on a page', async ({ page }) => {
  await page.goto('/docs/metrics/ndcg');
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - link "Skip to content"
    - link "Skip to the list of pages"
    - banner:
      - link "siftwren"
      - navigation "Main":
        - list:
          - listitem:
            - link "Docs"
        - list:
          - listitem:
            - button "Search docs"
          - listitem:
            - button "Switch to light mode"
    - main:
      - article:
        - navigation "Breadcrumb":
          - list
        - heading "nDCG" [level=1]
        - navigation "Previous and next page":
          - link /Previous/
          - link /Next/
      - navigation "On this page":
        - list
    - navigation "Documentation":
      - list
    - contentinfo:
      - link "Back to top"
  `);
});

test('a code block can be copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/overview/quickstart');
  const button = page.getByRole('main').getByRole('button', { name: 'Copy' }).first();
  await button.click();
  await expect(page.getByRole('main').getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const code = await page.locator('pre code').first().textContent();
  expect(copied).toBe((code ?? '').replace(/\n$/, ''));
});

test.describe('before the script of the page is there', () => {
  let release: () => void;

  test.beforeEach(async ({ page }) => {
    release = await holdBack(page, /\/assets\/boot-.*\.js/);
    await page.goto(START, { waitUntil: 'commit' });
    await expect(page.getByRole('button', { name: 'Switch to light mode' })).toBeVisible();
  });

  test('a button that is pressed acts when it is, once', async ({ page }) => {
    await page.getByRole('button', { name: 'Switch to light mode' }).click();
    await page.getByRole('button', { name: 'Search', exact: false }).first().click();
    expect(await lightness(page)).toBeLessThan(128);
    release();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expectTheme(page, 'light');
  });

  test('the keys of a search open it, with what was typed behind them', async ({ page }) => {
    await page.keyboard.press('/');
    await page.keyboard.type('ndcg');
    release();
    await expect(page.getByRole('combobox')).toHaveValue('ndcg');
    await expect(page.getByRole('option').first()).toBeVisible();
  });

  test('a button of the menu opens it', async ({ page }) => {
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    release();
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeInViewport();
  });
});

test('a tab that is pressed before the script for it is there is shown when that comes', async ({
  page,
}) => {
  const release = await holdBack(page, /\/assets\/later-.*\.js/);
  await page.goto('/docs/overview/install-sdk');
  const tabs = page.getByRole('tablist').first().getByRole('tab');
  await tabs.first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
  release();
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(tabs.nth(1)).toBeFocused();
  await page.unrouteAll();

  const releaseNext = await holdBack(page, /\/assets\/later-.*\.js/);
  await page.goto('/docs/overview/install-sdk');
  await tabs.last().click();
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'false');
  releaseNext();
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
});

test('nothing is wider than the screen, from 320 px on', async ({ page }) => {
  for (const path of [
    '/docs',
    '/docs/metrics/ndcg',
    '/docs/connectors/custom',
    '/docs/overview/quickstart',
  ]) {
    await page.goto(path);
    for (const width of [320, 375, 768, 995, 996, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(wider, `${path} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test('text twice as large has the layout of narrow screens, and room', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const path of ['/docs/metrics/ndcg', '/docs/api/datasets', '/']) {
    await page.goto(path);
    const { wider, text } = await page.evaluate(() => ({
      wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      text: document.querySelector('main')?.clientWidth ?? 0,
    }));
    expect(wider, path).toBeLessThanOrEqual(0);
    expect(text, path).toBeGreaterThan(1000);
  }
});

test('neither is it where titles, links and labels are names of code', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto('/docs/metrics/ndcg');
  const parts = await page
    .locator('main :is(h1, h2, [rel="prev"] [data-title], [rel="next"] [data-title], li a, p a)')
    .evaluateAll((elements) => {
      for (const element of elements) element.textContent = 'about_Calling_Generic_Methods'.repeat(2);
      return elements.length;
    });
  expect(parts).toBeGreaterThan(10);
  const wider = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(wider).toBeLessThanOrEqual(0);
});

test('blocked storage costs the memory of a choice and nothing else', async ({ page, search }) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, { get: refuse });
    }
  });
  await page.goto(START);
  await page.getByRole('button', { name: 'Switch to light mode' }).click();
  await expectTheme(page, 'light');
  await page.getByRole('button', { name: 'Dismiss the announcement' }).click();
  await expect(page.getByRole('region', { name: 'Announcement' })).toBeHidden();
  await search.open();
  await search.searchFor('recall');
  await search.expectHits('live');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Recall');
});

test.describe('what a visit fetches', () => {
  test.use({ serviceWorkers: 'allow' });

  for (const [connection, fetches] of [
    ['with data saving', false],
    ['on a good line', true],
  ] as const) {
    test(`${connection} the application ${fetches ? 'comes by itself' : 'waits until it is wanted'}`, async ({
      page,
    }) => {
      await tellConnection(page, { saveData: !fetches, effectiveType: '4g' });
      const paths: string[] = [];
      page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await page.goto(START);
      const hasApplication = () => paths.some((path) => /\/client-[^/]*\.js$/.test(path));
      expect(hasApplication(), 'at load').toBe(false);
      expect(paths.filter((path) => /\.js$/.test(path) && !/\/later-/.test(path))).toHaveLength(1);
      if (fetches) {
        await expect.poll(hasApplication).toBe(true);
        // The search comes for a reader who is there, whatever it is that this one does.
        const scripts = () => paths.filter((path) => /\/assets\/(?!search)[^/]*\.js$/.test(path));
        const ahead = scripts();
        await takenOver(page);
        expect(scripts(), 'all of it is there').toEqual(ahead);
      } else {
        await page.waitForTimeout(3_000);
        expect(hasApplication()).toBe(false);
        expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toHaveLength(
          0,
        );
      }
    });
  }

  for (const [connection, saveData] of [
    ['with data saving', true],
    ['on a good line', false],
  ] as const) {
    test(`${connection} the pages beside the one that is read are ${saveData ? 'fetched when they are asked for' : 'there'}`, async ({
      page,
    }) => {
      await tellConnection(page, { saveData, effectiveType: '4g' });
      const fetched: string[] = [];
      page.on('request', (request) => {
        const [, path] = /fragments\/pages(.+)\.json/.exec(request.url()) ?? [];
        if (path) fetched.push(path);
      });
      await page.goto(START);
      await takenOver(page);
      const menu = page.getByRole('navigation', { name: 'Documentation' });
      const link = menu.getByRole('link', { name: 'Why siftwren' });
      const path = (await link.getAttribute('href')) ?? '';
      if (saveData) {
        await page.waitForTimeout(1_000);
        expect(fetched).toEqual([]);
      } else {
        await expect.poll(() => fetched).toContain(path);
      }
      await link.click();
      await expect(title(page)).toHaveText('Why siftwren');
      expect(fetched.filter((other) => other === path)).toHaveLength(1);
    });
  }
});
