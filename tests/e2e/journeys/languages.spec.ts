/** A site in several languages: the menu of them, what each finds, and what is read from the right. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectClean } from '../support/accessibility.js';
import { expect, takenOver, test, title } from '../support/fixtures.js';
import { addressOf, SearchModal } from '../support/searchModal.js';
import type { Server } from '../support/server.js';
import { buildFrom, type BuiltSite, serveBelow } from '../support/subPath.js';

const FEW = ['de', 'es', 'it'];
const FILES = {
  'siftwren.toml': `[site]
title = "siftwren"
url = "https://birds.example"

[[navbar]]
label = "Wrens"
to = "/guides/wren"

[[navbar]]
type = "dropdown"
label = "Elsewhere"

[[navbar.items]]
label = "Sounds"
href = "https://sounds.example"

${Array.from({ length: 9 }, (_, n) => `[[navbar]]\nlabel = "Another bird ${n}"\nto = "/guides/owl"\n`).join('\n')}
[footer]
text = "Drawn by hand"

${['fa', ...FEW, 'fr'].map((tag) => `[[language]]\ntag = "${tag}"\n`).join('\n')}
[language.texts]
"siftwren" = "siftwren en français"
"Wrens" = "Troglodytes"
"Drawn by hand" = "Dessiné à la main"
`,
  'content/index.md': '# Birds\n\nEverything about birds.\n',
  'content/guides/wren.md': '# The wren\n\nA small bird, with a *raised tail*.\n\n## Nest\n\n```bash\nls\n```\n\nOf moss.\n',
  'content/guides/owl.md': '# The owl\n\nIt has no translation.\n',
  'content/fr/index.md': '# Oiseaux\n\nTout sur les oiseaux.\n',
  'content/fr/guides/wren.md':
    '# Le troglodyte\n\nUn petit oiseau.\n\n> [!TIP]\n> Écoutez.\n\n## Nid\n\n```bash\nls\n```\n\nEn mousse.\n',
  'content/fr/guides/merle.md': '# Le merle\n\nUn oiseau noir.\n',
  'content/fa/index.md':
    '# پرندگان\n\nهمه چیز درباره پرندگان.\n\n```bash title="wren"\nls --all # files\n```\n\n| یک | دو |\n| --- | --- |\n| ۱ | `ls -a` |\n',
  'content/fa/guides/nest.md': '# لانه\n\nاز خزه.\n\n## لانه سسک\n\nکوچک.\n\n## لانه جغد\n\nبزرگ.\n\n## لانه عقاب\n\nبلند.\n\n| یک | دو |\n| --- | --- |\n| ۱ | کوچک‌ترین‌لانه‌ای‌که‌تاکنون‌دیده‌شده‌است‌در‌باغ‌های‌شمال‌ایران |\n',
  ...Object.fromEntries(FEW.map((tag) => [`content/${tag}/index.md`, `# Birds, ${tag}\n`])),
};

let site: BuiltSite;
let server: Server;
let origin: string;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  site = buildFrom(FILES);
  ({ server, origin } = await serveBelow('/', site.dist));
});
test.afterAll(async () => {
  await server.stop();
  site.remove();
});

const menu = (page: Page) => page.locator('header details:has([hreflang]) summary');
const choose = async (page: Page, name: string) => {
  await menu(page).click();
  await page.getByRole('banner').getByRole('link', { name, exact: true }).click();
};
const document = (page: Page) => page.locator('html');

test('the menu leads to the same page, or to the start of the language, and Back returns', async ({
  page,
}) => {
  await page.goto(`${origin}/fr/guides/wren`);
  await takenOver(page);
  await expect(document(page)).toHaveAttribute('lang', 'fr');
  await expect(menu(page)).toHaveText('Langue: Français');
  await choose(page, 'English');
  await expect(page).toHaveURL(`${origin}/guides/wren`);
  await expect(title(page)).toHaveText('The wren');
  await expect(title(page)).toBeFocused();
  await expect(document(page)).toHaveAttribute('lang', 'en');
  await expect(menu(page)).toHaveText('Language: English');

  await choose(page, 'فارسی');
  await expect(page).toHaveURL(`${origin}/fa`);
  await expect(document(page)).toHaveAttribute('dir', 'rtl');
  await page.goBack();
  await expect(title(page)).toHaveText('The wren');
  await expect(document(page)).toHaveAttribute('dir', '');
  await page.goBack();
  await expect(title(page)).toHaveText('Le troglodyte');
  await expect(document(page)).toHaveAttribute('lang', 'fr');
  // The whole page was there once, the others came as data.
  expect(await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name)).toContain('/fr/');
});

test('what stands around a page is in its language, also where the next page has another one', async ({
  page,
}) => {
  const link = page.getByRole('banner').getByRole('link', { name: /^(?:Wrens|Troglodytes)$/ });
  const footer = page.getByRole('contentinfo');
  await page.goto(`${origin}/fr`);
  await takenOver(page);
  await expect(page).toHaveTitle('Oiseaux · siftwren en français');
  await expect(link).toHaveText('Troglodytes');
  await expect(footer).toContainText('Dessiné à la main');
  await link.click();
  await expect(title(page)).toHaveText('Le troglodyte');
  await expect(link).toHaveAttribute('aria-current', 'true');
  await choose(page, 'English');
  await expect(title(page)).toHaveText('The wren');
  await expect(page).toHaveTitle('The wren · siftwren');
  await expect(link).toHaveText('Wrens');
  await expect(link).toHaveAttribute('href', '/guides/wren');
  await expect(footer).toContainText('Drawn by hand');
  await page.goBack();
  await expect(link).toHaveText('Troglodytes');
  await expect(footer).not.toContainText('Drawn by hand');
});

test('links for which the bar has no room are in a list, and the page is as wide as the screen', async ({
  page,
}) => {
  const bar = page.getByRole('banner');
  for (const [path, more] of [
    ['/guides/wren', 'More'],
    ['/fr/guides/wren', 'Plus'],
  ]) {
    for (const width of [996, 1100, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${origin}${path}`);
      const wider = await page.evaluate(
        () => window.document.documentElement.scrollWidth - window.document.documentElement.clientWidth,
      );
      expect(wider, `${path} at ${width}`).toBeLessThanOrEqual(0);
      await expect(bar.getByRole('link', { name: 'Another bird 8' })).toBeHidden();
      await bar.locator('summary').filter({ hasText: new RegExp(`^${more}$`) }).click();
      await bar.getByRole('link', { name: 'Another bird 8' }).click({ trial: true });
    }
  }
});

test('lists, start and neighbours of a page are in its language', async ({ page }) => {
  await page.goto(`${origin}/fr/guides/wren`);
  const list = page.locator('[data-menu]');
  await expect(list.getByRole('link', { name: 'Le troglodyte' })).toHaveAttribute('aria-current', 'page');
  await expect(list).not.toContainText('owl');
  await expect(page.getByRole('link', { name: 'Accueil' })).toHaveAttribute('href', '/fr');
  await page.goto(`${origin}/guides/owl`);
  await expect(list).not.toContainText('troglodyte');
  await expect(page.locator('a[rel=next]')).toHaveAttribute('href', '/guides/wren');
  await page.goto(`${origin}/guides/wren`);
  await expect(page.locator('a[rel=next]')).toHaveCount(0);
});

test('what stands around a text is in its language, also what scripts write, and changes with it', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${origin}/fr/guides/wren`);
  await expect(page.locator('.alert-title')).toHaveText('Astuce');
  await expect(page.getByRole('contentinfo')).toContainText('Toutes les pages de A à Z');
  const copy = page.locator('.code-copy');
  await expect(copy).toHaveText('Copier');
  await copy.click();
  await expect(copy).toHaveText('Copié');
  await takenOver(page);
  await expect(page.getByText('Aller au contenu')).toHaveCount(1);

  await choose(page, 'English');
  await expect(title(page)).toHaveText('The wren');
  await expect(page.getByText('Skip to content')).toHaveCount(1);
  await expect(copy).toHaveText('Copy');
  await page.goBack();
  await expect(page.getByText('Aller au contenu')).toHaveCount(1);
  await expect(copy).toHaveText('Copier');
});

test.describe('with a broken network', () => {
  test.use({ expectedErrors: /net::ERR_|Failed to fetch|could not be loaded|status 503|status of 503/ });

  test('failures are told in the language of the page', async ({ page }) => {
    await page.route('**/assets/later-*.js', (route) => route.abort());
    const data = '**/fragments/pages/fr/guides/merle.json*';
    await page.route(data, (route) => route.fulfill({ status: 503 }));
    await page.setViewportSize({ width: 375, height: 700 });
    await page.goto(`${origin}/fr/guides/wren`);
    await page.getByRole('button', { name: 'Ouvrir le menu' }).click();
    const message = page.getByRole('status').filter({ hasText: 'Impossible de charger le menu.' });
    await message.getByRole('button', { name: 'Fermer' }).click();
    await expect(message).toHaveCount(0);

    await page.setViewportSize({ width: 1280, height: 700 });
    await takenOver(page);
    await page.locator('[data-menu]').getByRole('link', { name: 'Le merle' }).click();
    await expect(page.getByRole('alert')).toHaveText(/code d’état 503\.$/);
    // So is the rest of the page, and its menu knows where it is.
    await expect(page.locator('[data-menu]')).toContainText('Guides');
    await expect(menu(page)).toHaveText('Langue: Français');
    await page.unroute(data);
    await page.getByRole('button', { name: 'Réessayer' }).click();
    await expect(title(page)).toHaveText('Le merle');
  });

  test('words that do not come leave the page as it is, and are asked for anew', async ({ page }) => {
    await page.route('**/assets/words-fr-*', (route) => route.abort());
    await page.goto(`${origin}/fr/guides/wren`);
    // They are in the page, and what scripts add is in English.
    await expect(page.getByText('Aller au contenu')).toHaveCount(1);
    await expect(page.locator('.code-copy')).toHaveText('Copy');
    await page.unroute('**/assets/words-fr-*');
    await page.getByRole('button', { name: 'Rechercher dans la documentation' }).click();
    await expect(page.getByPlaceholder('Saisissez votre recherche')).toBeFocused();
  });
});

test.describe('at a wrong address', () => {
  test.use({ expectedErrors: /status of 404/ });
  const wrong = () => `${origin}/fr/guides/trogldyte`;
  const expectFrench = async (page: Page) => {
    await expect(title(page)).toHaveText('Page introuvable');
    await expect(document(page)).toHaveAttribute('lang', 'fr');
    await expect(page.getByRole('main').getByText('/fr/guides/trogldyte')).toBeVisible();
    const near = page.getByRole('main').getByRole('status').getByRole('link');
    await expect(near).toHaveText(['Le troglodyte']);
    await expect(menu(page)).toHaveText('Langue: Français');
    const query = page.getByRole('main').getByRole('button', { name: /Rechercher/ });
    await expect(query).toHaveText(/«\sguides trogldyte\s»/);
    await near.click();
    await expect(title(page)).toHaveText('Le troglodyte');
  };

  test('the page in its place is in the language of the address', async ({ page }) => {
    expect((await page.goto(wrong()))?.status()).toBe(404);
    await expectFrench(page);
  });

  test('it is so where a host has one page for all of them, once the application is there', async ({
    page,
  }) => {
    const body = readFileSync(join(site.dist, '404.html'));
    await page.route(wrong(), (route) =>
      route.fulfill({ status: 404, contentType: 'text/html', body }),
    );
    await page.goto(wrong());
    await expectFrench(page);
  });
});

test.describe('without a network', () => {
  test.use({
    serviceWorkers: 'allow',
    expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 404/,
  });

  test('what stands in for a page that is not there or not stored is in its language', async ({
    page,
    context,
  }) => {
    await page.goto(`${origin}/fr/guides/wren`);
    const stored = page.getByText('Disponible hors ligne');
    await expect(stored).toBeVisible({ timeout: 15_000 });
    await context.setOffline(true);
    for (const heading of ['Page not found', 'You are offline']) {
      for (const [path, language] of [
        ['/fr/new', 'fr'],
        ['/fr', 'fr'],
        ['/france', 'en'],
        ['/guides/new', 'en'],
      ] as const) {
        await page.goto(origin + path);
        await expect(document(page)).toHaveAttribute('lang', language);
      }
      await expect(title(page)).toHaveText(heading);
      // From now on it is not the whole site that is stored.
      await page.evaluate(async () => {
        const name = (await caches.keys()).find((key) => key.startsWith('siftwren-build-')) ?? '';
        const cache = await caches.open(name);
        const stored = (await cache.keys()).find(({ url }) => url.endsWith('/fr/guides/wren'));
        if (stored) await cache.delete(stored);
      });
    }
  });
});

test('each language is searched by itself, also after a change', async ({ page, search }) => {
  const inFrench = new SearchModal(page, {
    dialog: 'Rechercher dans la documentation',
    field: 'Saisissez votre recherche',
  });
  await page.goto(`${origin}/fr/guides/wren`);
  await inFrench.open();
  await inFrench.searchFor('troglodyte');
  await expect(inFrench.selected).toContainText('Le troglodyte');
  await expect(inFrench.dialog.getByRole('status')).toHaveText('1 résultat');
  expect((await addressOf(inFrench.selected)).pathname).toBe('/fr/guides/wren');
  await inFrench.searchFor('raised');
  await expect(inFrench.dialog.getByRole('status')).toHaveText('Aucun résultat pour « raised »');
  await expect(inFrench.dialog).toContainText('Aucun résultat pour « raised »');
  await page.keyboard.press('Escape');

  await choose(page, 'English');
  await expect(title(page)).toHaveText('The wren');
  await search.open();
  await search.searchFor('raised');
  await expect(search.selected).toContainText('raised tail');
  await search.searchFor('troglodyte');
  await expect(search.dialog.getByRole('status')).toHaveText(/^No results/);
});

for (const width of [375, 996, 1440]) {
  test(`what is read from the right fits at ${width} pixels, and its code is read from the left`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${origin}/fa`);
    const { overflow, heading, code } = await page.evaluate(() => {
      const line = (selector: string) => {
        const range = window.document.createRange();
        range.selectNodeContents(window.document.querySelector(selector) as Element);
        return range.getBoundingClientRect();
      };
      const block = (window.document.querySelector('pre') as Element).getBoundingClientRect();
      const main = (window.document.querySelector('h1') as Element).getBoundingClientRect();
      return {
        overflow: window.document.documentElement.scrollWidth - window.innerWidth,
        heading: main.right - line('h1').right,
        code: line('pre code').left - block.left,
      };
    });
    expect(overflow).toBeLessThanOrEqual(0);
    expect(heading).toBeLessThan(4);
    expect(code).toBeLessThan(40);
  });
}

test('where the text is read from the right, what is chosen in the search is marked there, and twigs grow from there', async ({
  page,
}) => {
  const fromRight = new SearchModal(page, {
    dialog: 'جستجو در مستندات',
    field: 'برای شروع جستجو تایپ کنید',
  });
  await page.goto(`${origin}/fa`);
  await fromRight.open();
  await fromRight.searchFor('لانه');
  const twig = fromRight.dialog.locator('[data-branch=true]').first();
  await expect(twig).toBeVisible();
  await expect(fromRight.selected).toHaveCSS('box-shadow', / -3px 0px 0px 0px inset$/);
  const { right, left, bottom } = await twig.evaluate((element) => {
    const { borderRightWidth, borderLeftWidth, borderBottomWidth } = getComputedStyle(element, '::before');
    return { right: borderRightWidth, left: borderLeftWidth, bottom: borderBottomWidth };
  });
  expect({ right, left, bottom }).toEqual({ right: '1px', left: '0px', bottom: '1px' });
});

test('where the text is read from the right, arrows point there for the page before, the menu comes from there, and tables go on to the left', async ({
  page,
}) => {
  await page.goto(`${origin}/fa/guides/nest`);
  const arrow = page.locator('a[rel=prev] svg');
  await expect(arrow).toHaveCSS('scale', '-1 1');
  await arrow.hover();
  await expect(arrow).toHaveCSS('translate', '3px');
  await page.setViewportSize({ width: 375, height: 700 });
  const list = page.locator('[data-menu]').first();
  const isBeyondTheEdge = () =>
    list.evaluate((element) => element.getBoundingClientRect().left >= window.innerWidth);
  await expect.poll(isBeyondTheEdge).toBe(true);
  const table = page.locator('.table-scroll');
  await expect(table).toHaveCSS('mask-image', /-90deg/);
  await table.evaluate((element) => element.scrollBy(-9999, 0));
  await expect(table).toHaveCSS('mask-image', 'none');
  await page.goto(`${origin}/guides/wren`);
  expect(await list.evaluate((element) => element.getBoundingClientRect().right)).toBeLessThanOrEqual(0);
});

test('many languages are folded in the menu of a phone, and a low window scrolls them', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 700 });
  await page.goto(`${origin}/guides/wren`);
  await page.getByRole('button', { name: 'Open the menu' }).click();
  const drawer = page.getByRole('navigation', { name: 'Main, in the menu' });
  const french = drawer.getByRole('link', { name: 'Français' });
  await expect(french).toBeHidden();
  await drawer.getByText('Language: English').click();
  await french.click();
  await expect(title(page)).toHaveText('Le troglodyte');

  await page.setViewportSize({ width: 1280, height: 220 });
  await menu(page).click();
  const last = page.getByRole('banner').getByRole('link', { name: 'Italiano' });
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
});

test.describe('audited by axe', () => {
  test.use({ bypassCSP: true });

  for (const path of ['/fa', '/fr/guides/wren']) {
    test(`${path} has no problem in either theme, its menu open or not`, async ({ page }) => {
      await page.goto(origin + path);
      await expectClean(page);
      await page.setViewportSize({ width: 1280, height: 800 });
      await menu(page).click();
      await expectClean(page, [1280]);
    });
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the menu leads to the other languages', async ({ page }) => {
    await page.goto(`${origin}/guides/wren`);
    await choose(page, 'Français');
    await expect(title(page)).toHaveText('Le troglodyte');
  });
});
