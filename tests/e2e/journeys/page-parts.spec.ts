/** The parts of a page: code, tabs, headings, table of contents, the way back to the top, paper. */
import type { Page } from '@playwright/test';
import { audit } from '../support/accessibility.js';
import { expect, settled, takenOver, test, title } from '../support/fixtures.js';

/** Two pages with tabs of the same group. */
const CLI = '/docs/overview/installing-siftwren-cli';
const SDK = '/docs/overview/install-sdk';

const tab = (page: Page, name: string) => page.getByRole('main').getByRole('tab', { name });
const panel = (page: Page) => page.getByRole('main').getByRole('tabpanel');

test.describe('tabs', () => {
  test('show one panel, and what was chosen is shown on the next page and the next visit', async ({
    page,
  }) => {
    await page.goto(CLI);
    await expect(panel(page)).toHaveCount(1);
    await expect(panel(page)).toContainText('python3 -m venv');
    await tab(page, 'Windows').click();
    await expect(panel(page)).toContainText('In PowerShell');
    await expect(page).toHaveURL(`${CLI}?system=windows`);

    await takenOver(page);
    await page.getByRole('navigation', { name: 'Documentation' }).getByText('Install').first().click();
    await expect(page).toHaveURL(SDK);
    await expect(tab(page, 'Windows')).toHaveAttribute('aria-selected', 'true');
    await expect(panel(page)).toContainText('Activate.ps1');
    await page.reload();
    await expect(panel(page)).toContainText('Activate.ps1');
  });

  test('show what was chosen in the first frame of the next page; focus and buttons come after it', async ({
    page,
  }) => {
    await page.goto(CLI);
    await tab(page, 'Windows').click();
    await takenOver(page);
    const first = page.evaluate(
      (before) =>
        new Promise((resolve) => {
          const look = () => {
            const heading = document.querySelector('main h1');
            if (heading?.textContent === before) {
              requestAnimationFrame(look);
              return;
            }
            resolve({
              chosen: document.querySelector('main [role=tab][aria-selected=true]')?.textContent,
              hasButtons: document.querySelector('main .code-copy') !== null,
              isFocused: document.activeElement === heading,
            });
          };
          requestAnimationFrame(look);
        }),
      await title(page).textContent(),
    );
    await page.getByRole('navigation', { name: 'Documentation' }).getByText('Install').first().click();
    expect(await first).toEqual({ chosen: 'Windows', hasButtons: false, isFocused: false });
    await expect(title(page)).toBeFocused();
    await expect(page.getByRole('main').getByRole('button', { name: 'Copy' }).first()).toBeAttached();
  });

  test.describe('the address of a part in a tab shows the tab', () => {
    const PART = 'part-in-windows';
    const part = (page: Page) => page.locator(`#${PART}`);

    test.beforeEach(async ({ page }) => {
      await page.route(`**${CLI}*`, async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        const inWindows = /(<p class="tab-title"[^>]*>Windows<\/p>)/;
        expect(text).toMatch(inWindows);
        const tabs = '<div class="tabs" data-group="system">';
        expect(text).toContain(tabs);
        // Far enough down that it has to be scrolled to.
        const body = text
          .replace(inWindows, `$1${'<br>'.repeat(80)}<h3 id="${PART}">Part</h3>`)
          .replace(tabs, `<p><a id="to-part" href="#${PART}">Go</a></p>${tabs}`);
        await route.fulfill({ response, body });
      });
    });

    test('when the page is opened', async ({ page }) => {
      await page.goto(`${CLI}#${PART}`);
      await expect(part(page)).toBeInViewport();
      await expect(tab(page, 'Windows')).toHaveAttribute('aria-selected', 'true');
      await page.goto(SDK);
      await expect(tab(page, 'Linux')).toHaveAttribute('aria-selected', 'true');
    });

    test('when a link of the page leads there, and by Back', async ({ page }) => {
      await page.goto(CLI);
      await expect(part(page)).toBeHidden();
      await page.locator('#to-part').click();
      await expect(part(page)).toBeInViewport();
      await tab(page, 'Linux').click();
      await expect(part(page)).toBeHidden();
      await page.evaluate(() => {
        location.hash = '#elsewhere';
      });
      await page.goBack();
      await expect(part(page)).toBeInViewport();
    });
  });

  test('an address chooses the tab, whatever was chosen before', async ({ page }) => {
    await page.goto(`${CLI}?system=windows`);
    await expect(panel(page)).toContainText('In PowerShell');
    await page.goto(`${CLI}?system=amiga`);
    await expect(panel(page)).toContainText('python3 -m venv');
  });

  test('arrow keys move through them, and Tab goes on to the panel', async ({ page }) => {
    await page.goto(CLI);
    await tab(page, 'Linux').focus();
    await page.keyboard.press('ArrowRight');
    await expect(tab(page, 'Windows')).toBeFocused();
    await expect(panel(page)).toContainText('In PowerShell');
    await page.keyboard.press('Home');
    await expect(tab(page, 'Linux')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(panel(page).locator(':focus')).toHaveCount(1);
  });

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false });

    test('all panels can be read, with their titles', async ({ page }) => {
      await page.goto(CLI);
      await expect(panel(page)).toHaveCount(2);
      for (const text of ['Linux, macOS, WSL', 'Windows', 'In PowerShell']) {
        await expect(panel(page).getByText(text, { exact: false }).first()).toBeVisible();
      }
      await expect(page.getByRole('tab')).toHaveCount(0);
    });
  });
});

test.describe('code', () => {
  test('long lines wrap on demand, and short ones offer nothing', async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 800 });
    await page.goto('/docs/overview/quickstart');
    const wrap = page.getByRole('button', { name: 'Wrap' }).first();
    const block = page.locator('.code', { has: wrap }).first();
    const hidden = () =>
      block.locator('pre').evaluate((code) => code.scrollWidth - code.clientWidth);
    expect(await hidden()).toBeGreaterThan(0);
    await wrap.click();
    expect(await hidden()).toBe(0);
    await expect(wrap).toHaveAttribute('aria-pressed', 'true');
    await wrap.click();
    expect(await hidden()).toBeGreaterThan(0);
    const short = await page.locator('.code').evaluateAll(
      (blocks) =>
        blocks.filter((each) => {
          const code = each.querySelector('pre');
          const button = each.querySelector<HTMLElement>('.code-wrap');
          return code && button && code.scrollWidth <= code.clientWidth && !button.hidden;
        }).length,
    );
    expect(short).toBe(0);
  });

  test('is a stop of Tab where it scrolls, as tables are, and nowhere else', async ({ page }) => {
    const stops = () =>
      page.locator('.prose :is(pre, .table-scroll)').evaluateAll((all) =>
        all
          .filter((each) => each.checkVisibility())
          .map((each) => ({
            isStop: (each as HTMLElement).tabIndex >= 0,
            scrolls: each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight,
          })),
      );
    /** How many there are, once they are right. */
    const rightStops = async () => {
      await expect
        .poll(async () => (await stops()).filter(({ isStop, scrolls }) => isStop !== scrolls))
        .toEqual([]);
      return (await stops()).filter(({ isStop }) => isStop).length;
    };
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/docs/connectors/custom');
    await settled(page);
    const wide = await rightStops();
    expect((await stops()).length).toBeGreaterThan(wide);
    await page.setViewportSize({ width: 320, height: 800 });
    const narrow = await rightStops();
    expect(narrow).toBeGreaterThan(wide);
    expect(await audit(page)).toEqual([]);
    await page.getByRole('button', { name: 'Wrap' }).first().click();
    expect(await rightStops()).toBe(narrow - 1);
    await page.setViewportSize({ width: 1440, height: 900 });
    // The same on a page that the application brings, and back.
    await takenOver(page);
    await page.getByRole('navigation', { name: 'Documentation' }).getByText('Metrics').click();
    await expect(title(page)).toHaveText('Metrics overview');
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goBack();
    await expect(title(page)).toHaveText(/^Custom dataset/);
    expect(await rightStops()).toBeGreaterThan(wide);
  });

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false });

    test('all of it is a stop of Tab', async ({ page }) => {
      await page.goto('/docs/connectors/custom');
      await expect(page.locator('.prose pre:not([tabindex="0"])')).toHaveCount(0);
    });
  });

  test('the title and the language stand above it', async ({ page }) => {
    await page.goto(SDK);
    const titled = page.locator('figure.code').first();
    await expect(titled.locator('figcaption')).not.toBeEmpty();
    const language = await titled.evaluate((block) => getComputedStyle(block, '::before').content);
    expect(language).toMatch(/^"[a-z]+"$/);
  });
});

test('a heading is a link to itself', async ({ page }) => {
  await page.goto('/docs/metrics/ndcg');
  const headings = page.getByRole('article').locator('.prose :is(h2, h3, h4)[id]');
  for (const heading of await headings.all()) {
    const id = await heading.getAttribute('id');
    await expect(heading.getByRole('link')).toHaveAttribute('href', `#${id}`);
  }
  await headings.nth(2).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`#${await headings.nth(2).getAttribute('id')}$`));
  await expect(headings.nth(2)).toBeInViewport();
});

test('the table of contents follows the reader to the last heading', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/docs/connectors/custom');
  const toc = page.getByRole('navigation', { name: 'On this page' });
  const current = toc.locator('[aria-current=location]');
  const seen: string[] = [];
  const steps = 60;
  for (let step = 0; step <= steps; step += 1) {
    await page.evaluate((part) => {
      scrollTo({ top: (document.documentElement.scrollHeight - innerHeight) * part, behavior: 'instant' });
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, step / steps);
    if ((await current.count()) === 0) continue;
    const name = await current.innerText();
    if (seen.at(-1) !== name) seen.push(name);
    await expect(current).toBeInViewport();
  }
  const all = await toc.getByRole('link').allInnerTexts();
  expect(seen.at(-1)).toBe(all.at(-1));
  expect(seen).toEqual(all.filter((name) => seen.includes(name)));
  expect(seen.length).toBeGreaterThan(all.length / 2);
});

test('a link leads back to the top, near at hand while scrolling up', async ({ page }) => {
  await page.goto('/docs/connectors/custom');
  const link = page.getByRole('link', { name: 'Back to top' });
  await expect(link).not.toBeInViewport();
  await settled(page);
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, 4000);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(3000);
  await expect(link).not.toBeInViewport();
  await page.mouse.wheel(0, -300);
  await expect(link).toBeInViewport();
  await link.click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(link).not.toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
});

test('code and tables fade where there is more of them, until they are scrolled to their end', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/docs/connectors/custom');
  const parts = page.locator('.prose :is(pre, .table-scroll)');
  const look = () =>
    parts.evaluateAll((all) =>
      all.map((part) => ({
        isLonger: part.scrollWidth > part.clientWidth,
        fades: getComputedStyle(part).maskImage !== 'none',
      })),
    );
  const before = await look();
  expect(before).toContainEqual({ isLonger: true, fades: true });
  expect(before).toContainEqual({ isLonger: false, fades: false });
  expect(before.filter(({ isLonger, fades }) => isLonger !== fades)).toEqual([]);
  const table = page.locator('.table-scroll').first();
  await expect(table).not.toHaveCSS('mask-image', 'none');
  await table.evaluate((element) => element.scrollBy(9999, 0));
  await expect(table).toHaveCSS('mask-image', 'none');
  await table.evaluate((element) => element.scrollBy(-9999, 0));
  await expect(table).not.toHaveCSS('mask-image', 'none');
  await settled(page);
  await table.focus();
  await page.keyboard.press('Shift');
  await expect(table).toHaveCSS('mask-image', 'none');
});

test('on paper there is the text, with all that is folded away on a screen', async ({ page }) => {
  await page.goto(CLI);
  await expect(panel(page)).toHaveCount(1);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(panel(page)).toHaveCount(2);
  await expect(panel(page).first().getByText('Linux, macOS, WSL')).toBeVisible();
  await expect(title(page)).toBeVisible();
  for (const away of [
    page.getByRole('banner'),
    page.getByRole('contentinfo'),
    page.getByRole('navigation', { name: 'Documentation' }),
    page.getByRole('button', { name: 'Copy' }).first(),
    page.getByRole('link', { name: 'Back to top' }),
    page.getByRole('link', { name: 'Skip to content' }),
    page.getByRole('link', { name: 'Skip to the list of pages' }),
  ]) {
    await expect(away).toBeHidden();
  }
  const isDarkOnLight = await page.evaluate(() => {
    const { colorScheme } = getComputedStyle(document.documentElement);
    return colorScheme === 'light';
  });
  expect(isDarkOnLight).toBe(true);
});

for (const [where, media, javaScriptEnabled] of [
  ['on paper', 'print', true],
  ['without a script', 'screen', false],
] as const) {
  test.describe(where, () => {
    test.use({ javaScriptEnabled });

    test('the title of a tab stands nearer to what it names than to what is above', async ({ page }) => {
      for (const path of [SDK, '/docs/api/datasets']) {
        await page.goto(path);
        if (javaScriptEnabled) await expect(panel(page).first()).toBeVisible();
        await page.emulateMedia({ media });
        const gaps = await page.locator('.tab + .tab > .tab-title').evaluateAll((titles) =>
          titles.map((title) => {
            const box = title.getBoundingClientRect();
            const before = title.parentElement?.previousElementSibling?.getBoundingClientRect();
            const after = title.nextElementSibling?.getBoundingClientRect();
            return { above: box.top - (before?.bottom ?? 0), below: (after?.top ?? 0) - box.bottom };
          }),
        );
        expect(gaps.length).toBeGreaterThan(0);
        for (const { above, below } of gaps) {
          expect(above, path).toBeGreaterThan(20);
          expect(below, path).toBeGreaterThan(7);
          expect(below, path).toBeLessThan(above);
        }
      }
    });
  });
}

test.describe('in forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } });

  test('the link that the site asks readers to follow has a border', async ({ page }) => {
    await page.goto(CLI);
    const link = page.getByRole('banner').getByRole('link', { name: 'Try For Free' });
    // Shadows are not painted there.
    await expect(link).toHaveCSS('border-top-style', 'solid');
    await expect(link).toHaveCSS('border-top-width', '1px');
  });

  test('what is chosen or current is not told by colour alone', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(CLI);
    /** What of an element would differ from its unchosen neighbour if no colour were there. */
    const look = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { fontWeight, textDecorationLine, borderBlockEndStyle, borderInlineStartStyle, color } =
            getComputedStyle(element);
          return { fontWeight, textDecorationLine, borderBlockEndStyle, borderInlineStartStyle, color };
        });
    for (const [chosen, other] of [
      ['[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]'],
      ['#\\:menu li li [aria-current=page]', '#\\:menu li li a:not([aria-current])'],
    ] as const) {
      expect(await look(chosen), chosen).not.toEqual(await look(other));
    }
    await page.getByRole('tab', { name: 'Windows' }).focus();
    const outline = await page
      .getByRole('tab', { name: 'Windows' })
      .evaluate((element) => getComputedStyle(element).outlineStyle);
    expect(outline).toBe('solid');
  });
});

test.describe('with less motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing moves', async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 800 });
    await page.goto(CLI);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('button', { name: 'Close the menu' }).click();
    await tab(page, 'Windows').click();
    // What follows the scrolling of code and tables fades without moving.
    const running = await page.evaluate(
      () =>
        document
          .getAnimations()
          .filter(({ playState, timeline }) => playState === 'running' && timeline === document.timeline)
          .length,
    );
    expect(running).toBe(0);
  });
});

test.describe('axe', () => {
  test.use({ bypassCSP: true });

  for (const colorScheme of ['dark', 'light'] as const) {
    test(`tabs and wrapped code, ${colorScheme}`, async ({ page }) => {
      for (const width of [375, 996, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.goto(`${CLI}?system=windows`);
        const wrap = page.getByRole('button', { name: 'Wrap' });
        if ((await wrap.count()) > 0) await wrap.first().click();
        // The way back to the top floats over the text, which axe cannot judge then.
        await page.evaluate(() => scrollTo(0, 0));
        expect.soft(await audit(page), `${width} px`).toEqual([]);
      }
    });
  }
});
