/** The styles that a page carries itself: all that it shows, until more of them come with the scripts. */
import type { Page } from '@playwright/test';
import { builtAsset, builtFile, pagePaths } from '../support/builtSite.js';
import { expect, test } from '../support/fixtures.js';

/** Of the pages with the same styles the one with the most in it. */
const PAGES = [
  ...new Map(
    pagePaths()
      .map((path) => ({ path, html: builtFile(`${path.slice(1)}/index.html`) }))
      .sort((a, b) => a.html.length - b.html.length)
      .map(({ path, html }) => [html.match(/<style>[\s\S]*<\/style>/)?.[0], path]),
  ).values(),
  '/offline.html',
];

/** In place of the boot script: it says that it has run, and does nothing else. */
const NO_BOOT = "document.documentElement.dataset.js = 'on'; export const press = () => {};";

for (const width of [1440, 800, 375]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 900 } });

    test('no page changes when the later sheet arrives, nor when the whole does', async ({ page }) => {
      test.setTimeout(300_000);
      await withoutBoot(page);
      for (const path of PAGES) {
        await page.goto(path);
        await remember(page);
        await loadSheet(page, builtAsset('later', 'css'));
        expect(await changes(page), path).toEqual([]);
        await loadSheet(page, builtAsset('client', 'css'));
        expect(await changes(page), path).toEqual([]);
      }
    });
  });
}

for (const width of [1440, 375]) {
  test(`read from the right, a page is the mirror image of itself at ${width} pixels`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await withoutBoot(page);
    for (const path of ['/docs', '/docs/connectors/custom', '/docs/overview/install-sdk', '/docs/api/datasets']) {
      await page.goto(path);
      await loadSheet(page, builtAsset('client', 'css'));
      const fromLeft = await sides(page, 'ltr');
      const fromRight = await sides(page, 'rtl');
      expect(fromLeft.length).toBeGreaterThan(100);
      const others = fromLeft.flatMap(({ name, left, right }, index) => {
        const mirrored = { name, left: right, right: left };
        return JSON.stringify(fromRight[index]) === JSON.stringify(mirrored) ? [] : [{ mirrored, is: fromRight[index] }];
      });
      expect(others, path).toEqual([]);
    }
  });
}

test('the letters of every page have the few faces that the tokens name', async ({ page }) => {
  test.setTimeout(120_000);
  await withoutBoot(page);
  for (const path of PAGES) {
    await page.goto(path);
    await loadSheet(page, builtAsset('client', 'css'));
    const { families, weights } = await faces(page);
    expect([families.length, weights], `${path}: ${families}`).toEqual([2, ['400', '600']]);
  }
});

test('phones that are turned around do not enlarge the letters: those of Apple know only a name of their own', () => {
  for (const sheet of [builtFile('docs/metrics/ndcg/index.html'), builtFile(builtAsset('client', 'css'))]) {
    expect(sheet).toContain('-webkit-text-size-adjust:none');
  }
});

test('a page that finds none of its scripts says that its base may be wrong', async ({ page }) => {
  const sentence = page.getByText('This site did not load properly');
  await withoutBoot(page);
  await page.goto('/docs/metrics/ndcg');
  await expect(sentence).toBeHidden();
  await page.unrouteAll();
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
  await page.goto('/docs/metrics/ndcg');
  await expect(sentence).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the whole sheet is there from the start, or the base may be wrong', async ({ page }) => {
    const sentence = page.getByText('This site did not load properly');
    await page.goto('/docs/metrics/ndcg');
    await expect(sentence).toBeHidden();
    await page.route('**/assets/*.css', (route) => route.fulfill({ status: 404 }));
    await page.goto('/docs/metrics/ndcg');
    await expect(sentence).toBeVisible();
  });
});

test.use({ expectedErrors: /404/ });

async function withoutBoot(page: Page): Promise<void> {
  await page.route('**/assets/*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: NO_BOOT }),
  );
}

declare global {
  interface Window {
    appearance(): string[];
    before: string[];
  }
}

/** How each element of the page is shown; what is hidden, as the closed menu is, may wait. */
function remember(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.appearance = () =>
      [...document.querySelectorAll('body, body *')].flatMap((element) =>
        [null, '::before', '::after'].map((part) => {
          const style = getComputedStyle(element, part);
          const name = `${element.localName}.${element.getAttribute('class') ?? ''}${part ?? ''}`;
          const isHidden = !element.checkVisibility({ visibilityProperty: true });
          if (isHidden || (part !== null && style.content === 'none')) return name;
          // What moves a change of state is seen only when there is one.
          const properties = [...style].filter((property) => !/^(transition|--)/.test(property));
          const values = properties.map(
            (property) => `${property}: ${style.getPropertyValue(property)}`,
          );
          return [name, ...values].join('; ');
        }),
      );
    window.before = window.appearance();
  });
}

function changes(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    window.appearance().flatMap((element, index) => {
      if (element === window.before[index]) return [];
      const before = window.before[index]?.split('; ') ?? [];
      const changed = element.split('; ').filter((value) => !before.includes(value));
      return changed.length > 0 ? [`${before[0]}: ${changed.join('; ')}`] : [];
    }),
  );
}

function loadSheet(page: Page, href: string): Promise<void> {
  return page.evaluate(
    (sheet) =>
      new Promise<void>((resolve, reject) => {
        const link = document.createElement('link');
        link.rel = 'stylesheet';
        link.href = sheet;
        link.onload = () => resolve();
        link.onerror = reject;
        document.head.append(link);
      }),
    href,
  );
}

/** What the elements of a page have on either side when it is read so; code and formulas are always read from the left. */
function sides(page: Page, direction: 'ltr' | 'rtl'): Promise<{ name: string; left: string; right: string }[]> {
  return page.evaluate((dir) => {
    document.documentElement.dir = dir;
    return [...document.querySelectorAll('body *')].flatMap((element) =>
      [null, '::before', '::after'].flatMap((part) => {
        const style = getComputedStyle(element, part);
        const isRead = part === null || style.content !== 'none';
        if (!isRead || element.closest('pre, code, kbd, samp, math, svg, [popover]')) return [];
        const on = (side: 'left' | 'right') =>
          [`padding-${side}`, `border-${side}-width`, `border-top-${side}-radius`, `border-bottom-${side}-radius`]
            .map((property) => style.getPropertyValue(property))
            .join(' ');
        const name = `${element.localName}.${element.getAttribute('class') ?? ''}${part ?? ''}`;
        return [{ name, left: on('left'), right: on('right') }];
      }),
    );
  }, direction);
}

/** What the text of a page is set in, what is folded away included. Formulas have the font of the browser for them. */
function faces(page: Page): Promise<{ families: string[]; weights: string[] }> {
  return page.evaluate(() => {
    const families = new Set<string>();
    const weights = new Set<string>();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (!element || !texts.currentNode.textContent?.trim()) continue;
      if (element.closest('math, script, style, noscript, template')) continue;
      const style = getComputedStyle(element);
      families.add(style.fontFamily);
      weights.add(style.fontWeight);
    }
    return { families: [...families], weights: [...weights].sort() };
  });
}
