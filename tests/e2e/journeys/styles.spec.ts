/** The styles that a page carries itself: all that it needs, until the whole sheet comes with the scripts. */
import { builtFile, pagePaths } from '../support/builtSite.js';
import { expect, test } from '../support/fixtures.js';
import type { Page } from '@playwright/test';

const PAGES = [...pagePaths(), '/offline.html'];

/** How each element of the page is shown; what is hidden, as the closed menu is, may wait. */
function appearance(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body, body *')].flatMap((element) =>
      [null, '::before', '::after'].map((part) => {
        const style = getComputedStyle(element, part);
        const name = `${element.localName}.${element.getAttribute('class') ?? ''}${part ?? ''}`;
        const isHidden = !element.checkVisibility({ visibilityProperty: true });
        if (isHidden || (part !== null && style.content === 'none')) return name;
        // What moves a change of state is seen only when there is one.
        const values = [...style]
          .filter((property) => !property.startsWith('transition') && !property.startsWith('--'))
          .map((property) => `${property}: ${style.getPropertyValue(property)}`);
        return `${name} { ${values.join('; ')} }`;
      }),
    ),
  );
}

function difference(before: string[], after: string[]): string[] {
  return before.flatMap((element, index) => {
    const changed = after[index] ?? '';
    if (changed === element) return [];
    const old = new Set(element.split('; '));
    return [`${element.split(' {')[0]}: ${changed.split('; ').filter((value) => !old.has(value))}`];
  });
}

function sheetOf(path: string): string {
  const sheet = builtFile(path).match(/<noscript><link rel="stylesheet" href="([^"]+)">/)?.[1];
  if (sheet === undefined) throw new Error(`${path} names no style sheet`);
  return sheet;
}

for (const width of [1440, 800, 375]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 900 } });

    test('no page changes when the whole sheet arrives', async ({ page }) => {
      test.setTimeout(120_000);
      // Only what is in the page: neither the boot script nor anything that it loads.
      await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: ARRIVED }));
      for (const path of PAGES) {
        await page.goto(path);
        const before = await appearance(page);
        await page.evaluate(
          (href) =>
            new Promise((resolve, reject) => {
              const link = document.createElement('link');
              link.rel = 'stylesheet';
              link.href = href;
              link.onload = resolve;
              link.onerror = reject;
              document.head.append(link);
            }),
          sheetOf('index.html'),
        );
        expect(difference(before, await appearance(page)), path).toEqual([]);
      }
    });
  });
}

/** In place of the boot script: it says that it has run. */
const ARRIVED = "document.documentElement.dataset.js = 'on';";
