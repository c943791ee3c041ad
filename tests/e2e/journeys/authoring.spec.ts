/** What an author sees while pages are written: every build as soon as it is there, and what is wrong with what was saved. */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { audit } from '../support/accessibility.js';
import { environment } from '../support/environment.js';
import { expect, test, title } from '../support/fixtures.js';
import { freePort, Server } from '../support/server.js';

/** From a save until the site is built: four programs, on a machine that may be busy. */
const BUILD = { timeout: 30_000 };

let folder: string;
let server: Server;
let origin: string;

test.use({ serviceWorkers: 'allow' });
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siftwren-author-'));
});
test.afterEach(async ({ page }) => {
  // It would ask the server that has ended.
  await page.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

test.describe('cargo xtask build --watch', () => {
  const save = (name: string, text: string) => writeFileSync(join(folder, 'content', name), text);
  const build = (out: string) => [
    ...['build', '--content', join(folder, 'content'), '--out', join(folder, out)],
    ...['--config', join(folder, 'siftwren.toml'), '--prepared'],
  ];

  test.beforeEach(async () => {
    test.setTimeout(120_000);
    mkdirSync(join(folder, 'content'));
    mkdirSync(join(folder, 'static'));
    writeFileSync(join(folder, 'siftwren.toml'), '[content]\nstatic = "static"\n');
    save('index.md', '# Handbook\n\nIt starts with the [guide](guide.md).\n');
    save('guide.md', `# Guide\n\nThe first text.\n\n${'## Part\n\nMore of it.\n\n'.repeat(40)}`);
    const address = `127.0.0.1:${await freePort()}`;
    origin = `http://${address}`;
    server = new Server({
      name: 'xtask',
      program: environment.SIFTWREN_TEST_XTASK,
      arguments: [
        ...build('dist'),
        ...['--watch', '--addr', address],
      ],
      address,
      readyPath: '/',
    });
    await server.start();
  });

  test('a saved page is shown by itself, where the author was reading', async ({ page }) => {
    await page.goto(`${origin}/guide`);
    await expect(page.getByText('The first text.')).toBeVisible();
    expect(await page.evaluate(() => 'serviceWorker' in navigator)).toBe(false);
    await page.evaluate(() => window.scrollTo(0, 900));

    save('guide.md', `# Guide\n\nThe second text.\n\n${'## Part\n\nMore of it.\n\n'.repeat(40)}`);
    await expect(page.getByText('The second text.')).toBeAttached(BUILD);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(900);

    save('new.md', '# Something new\n');
    const link = page.getByRole('link', { name: 'Something new' }).first();
    await expect(link).toBeAttached(BUILD);
    await page.goto(`${origin}/new`);
    await expect(title(page)).toHaveText('Something new');
  });

  test('what somebody removes from the site is there again after the next save', async ({
    page,
  }) => {
    mkdirSync(join(folder, 'content/deep/er'), { recursive: true });
    save('deep/er/page.md', '# Page\n\nThe first text.\n');
    const address = `${origin}/deep/er/page`;
    await expect.poll(async () => (await fetch(address)).status, BUILD).toBe(200);
    await page.goto(address);
    await expect(page.getByText('The first text.')).toBeVisible();
    // A build that changes the site where it stands.
    save('deep/er/page.md', '# Page\n\nThe second text.\n');
    await expect(page.getByText('The second text.')).toBeAttached(BUILD);

    rmSync(join(folder, 'dist/deep/er'), { recursive: true });
    save('deep/er/page.md', '# Page\n\nThe third text.\n');
    await expect(page.getByText('The third text.')).toBeAttached(BUILD);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.goto(`${origin}/guide`);
    await expect(page.getByText('The first text.')).toBeVisible();
  });

  test('what is wrong stands over the page, and goes once it is mended', async ({ page }) => {
    await page.goto(`${origin}/guide`);
    save('guide.md', '# Guide\n\nThe [second](nowhere.md) text.\n');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('guide.md:3:5', BUILD);
    await expect(alert).toContainText('nowhere.md');
    await expect(page.getByText('The first text.')).toBeVisible();
    expect(await audit(page)).toEqual([]);

    save('guide.md', '# Guide\n\n![flow](/flow.svg)\n');
    await expect(alert).toContainText('guide.md:3:1', BUILD);
    // Not in the folder of the pages.
    writeFileSync(join(folder, 'static/flow.svg'), '<svg viewBox="0 0 6 4"></svg>');
    await expect(page.getByRole('img', { name: 'flow' })).toHaveAttribute('width', '6', BUILD);

    save('guide.md', '# Guide\n\nThe [second](nowhere.md) text.\n');
    await expect(alert).toContainText('guide.md:3:5', BUILD);
    await page.goto(`${origin}/`);
    await expect(alert, 'on every page').toContainText('guide.md:3:5');
    save('guide.md', '# Guide\n\nThe [second](index.md) text.\n');
    await expect(alert).toHaveCount(0, BUILD);
    await page.getByRole('main').getByRole('link', { name: 'guide', exact: true }).click();
    await expect(page.getByRole('main').getByText('The second text.')).toBeVisible();
  });

  test('a diagram is a picture with words, in both themes and without scripts', async ({
    page,
    browser,
  }) => {
    const picture = page.getByRole('document', { name: 'From A to B' });
    const lines = ['flowchart LR', '  accTitle: From A to B', '  A[First words] --> B[Others]'];
    save('guide.md', `# Guide\n\n\`\`\`mermaid title="A caption"\n${lines.join('\n')}\n\`\`\`\n`);
    await page.goto(`${origin}/guide`);
    await expect(picture).toBeVisible(BUILD);
    await expect(picture.getByText('First words')).toBeVisible();
    await expect(page.getByText('A caption')).toBeVisible();
    const filter = () => picture.evaluate((svg) => getComputedStyle(svg).filter);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await filter()).toMatch(colorScheme === 'dark' ? /^invert/ : /^none$/);
      // What words in a picture stand on is for axe to guess.
      const found = (await audit(page)).filter((line) => !line.includes('color-contrast: <text'));
      expect(found).toEqual([]);
    }
    // What the page says of its icons it does not say of words in pictures.
    const words = picture.getByText('First words');
    expect(await words.evaluate((text) => getComputedStyle(text).stroke)).toBe('none');

    const context = await browser.newContext({ javaScriptEnabled: false });
    const still = await context.newPage();
    await still.goto(`${origin}/guide`);
    await expect(still.getByText('First words')).toBeVisible();
    await context.close();

    // By a link within the site its styles come with it.
    await page.goto(`${origin}/`);
    await page.getByRole('main').getByRole('link', { name: 'guide', exact: true }).click();
    await expect(picture).toBeVisible();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await filter()).toMatch(/^invert/);
    save('guide.md', '# Guide\n\n```mermaid\nflowchart LR\n  A ==[\n```\n');
    await expect(page.getByText('A ==[')).toBeVisible(BUILD);
  });

  test('pictures for one theme are shown in it alone', async ({ page }) => {
    const picture = (theme: string) => page.getByRole('img', { name: theme });
    const logo = (theme: string) => page.locator(`header [data-logo][src*="/${theme}."]`);
    const widths = { light: 40, dark: 30 };
    for (const [theme, width] of Object.entries(widths)) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 20"><circle r="9"/></svg>`;
      writeFileSync(join(folder, 'content', `${theme}.svg`), svg);
      writeFileSync(join(folder, `${theme}.svg`), svg);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${origin}/guide`);
    save('guide.md', '# Guide\n\n![light](light.svg#only-light)![dark](dark.svg#only-dark)\n');
    writeFileSync(
      join(folder, 'siftwren.toml'),
      '[content]\nstatic = "static"\n[site]\nlogo = "light.svg"\nlogo_dark = "dark.svg"\n',
    );
    await expect(logo('light')).toBeAttached(BUILD);
    const expectShown = async (shown: string, hidden: string) => {
      for (const image of [picture, logo]) {
        await expect(image(shown)).toBeVisible();
        await expect(image(hidden)).toBeHidden();
      }
    };
    await expectShown('dark', 'light');
    await page.emulateMedia({ colorScheme: 'light' });
    await expectShown('light', 'dark');
    await page.getByRole('button', { name: 'Switch to dark mode' }).click();
    await expectShown('dark', 'light');
    await page.emulateMedia({ media: 'print' });
    await expect(picture('light')).toBeVisible();
    await expect(picture('dark')).toBeHidden();
  });

  test('a picture in a sentence is a part of its line', async ({ page }) => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"></svg>';
    writeFileSync(join(folder, 'content/gear.svg'), svg);
    await page.goto(`${origin}/guide`);
    save('guide.md', '# Guide\n\nPress ![gear](gear.svg) to begin.\n');
    const gear = page.getByRole('img', { name: 'gear' });
    await expect(gear).toBeVisible(BUILD);
    const [above, below, left] = await gear.evaluate((image) => {
      const behind = document.createRange();
      behind.selectNode(image.nextSibling as Node);
      const [picture, text] = [image.getBoundingClientRect(), behind.getBoundingClientRect()];
      const middle = (picture.top + picture.bottom) / 2;
      return [middle - text.top, text.bottom - middle, text.left - picture.right];
    });
    expect(above).toBeGreaterThan(0);
    expect(below).toBeGreaterThan(0);
    expect(left).toBeGreaterThanOrEqual(0);
  });

  test('what it leaves is the site, with assets of before, without what the next build adds', async ({
    page,
  }) => {
    const texts = (out: string) =>
      new Map(
        readdirSync(join(folder, out), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((file) => [
            file.slice(join(folder, out).length),
            readFileSync(file).toString('latin1'),
          ]),
      );
    const buildAnew = (out: string) =>
      expect(spawnSync(environment.SIFTWREN_TEST_XTASK, build(out)).status).toBe(0);
    const main = page.getByRole('main');
    await page.goto(`${origin}/guide`);
    save('guide.md', '# Guide\n\nThe second text.\n\n![flow](/flow.svg)\n');
    writeFileSync(join(folder, 'static/flow.svg'), '<svg viewBox="0 0 6 4"></svg>');
    await expect(main.getByText('The second text.')).toBeVisible(BUILD);
    mkdirSync(join(folder, 'content/more'));
    save('more/new.md', '# Something new\n');
    save('index.md', '# Handbook\n\nIt starts with [news](more/new.md).\n');
    await page.goto(`${origin}/`);
    await expect(main.getByRole('link', { name: 'news' })).toBeVisible(BUILD);
    // In the lists of all pages.
    save('guide.md', '# The guide\n\n![flow](/flow.svg)\n');
    save('index.md', '# Handbook\n\nIt starts.\n');
    rmSync(join(folder, 'content/more'), { recursive: true });
    await expect(page.getByRole('link', { name: 'The guide' }).first()).toBeAttached(BUILD);
    await expect(main.getByRole('link', { name: 'news' })).toHaveCount(0, BUILD);
    await page.goto('about:blank');
    await server.stop();

    buildAnew('anew');
    const [left, anew] = [texts('dist'), texts('anew')];
    const isAdded = (name: string) =>
      /\.(br|gz)$|^\/assets\/offline-|^\/llms-full\.txt$/.test(name);
    const names = (site: Map<string, string>) =>
      [...site.keys()].filter((name) => !isAdded(name)).sort();
    // For the pages of the build before that are open.
    const isOfBefore = (name: string) => name.startsWith('/assets/') && !anew.has(name);
    expect(names(left).filter((name) => !isOfBefore(name))).toEqual(names(anew));
    const others = names(anew).filter((name) => left.get(name) !== anew.get(name));
    expect(others).toEqual(['/sw.js']);

    buildAnew('dist');
    expect(texts('dist')).toEqual(anew);
  });
});

test.describe('a browser that has stored the site', () => {
  let file: string;
  /** As a builder would: never half of it. */
  const tell = (build: string) => {
    writeFileSync(`${file}.partial`, `${build}\n`);
    renameSync(`${file}.partial`, file);
  };
  /** Null while the page is being replaced. */
  const ask = <T>(page: Page, question: () => T) => page.evaluate(question).catch(() => null);
  const registrations = (page: Page) =>
    ask(page, async () =>
      'serviceWorker' in navigator
        ? (await navigator.serviceWorker.getRegistrations()).length
        : 'none can be',
    );

  test('shows what is built as soon as somebody is at work, and stores again afterwards', async ({
    page,
  }) => {
    test.setTimeout(60_000);
    file = join(folder, 'live');
    const address = `127.0.0.1:${await freePort()}`;
    origin = `http://${address}`;
    const preview = [environment.SIFTWREN_TEST_DIST, '--addr', address, '--live-reload', file];
    server = new Server({
      name: 'preview',
      program: environment.SIFTWREN_TEST_PREVIEW,
      arguments: preview,
      address,
      readyPath: '/',
    });
    await server.start();
    const url = `${origin}/docs/metrics/ndcg`;
    const isStored = async () => {
      await page.goto(url);
      await expect(page.getByRole('contentinfo')).toContainText('Available offline', {
        useInnerText: true,
        timeout: 15_000,
      });
    };
    await isStored();
    expect(await registrations(page)).toBe(1);

    tell('b1');
    // The stored page knows of nothing; the browser looks for another worker, and finds that there is none any more.
    await page.goto(url);
    await expect.poll(() => registrations(page), { timeout: 15_000 }).toBe('none can be');
    await page.evaluate(() => Object.assign(window, { isOld: true }));
    tell('b2');
    await expect.poll(() => ask(page, () => 'isOld' in window)).toBe(false);
    await expect(title(page)).toBeVisible();

    rmSync(file);
    await isStored();
    expect(await registrations(page)).toBe(1);
  });
});
