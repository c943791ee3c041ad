/** The API reference: complete without a script, every operation by its address, within its bytes. */
import { execFileSync } from 'node:child_process';
import { brotliCompressSync } from 'node:zlib';
import { audit } from '../support/accessibility.js';
import { builtFile, pagePaths } from '../support/builtSite.js';
import { expect, test, takenOver, title } from '../support/fixtures.js';
import { keys, openConsole, operation } from '../support/reference.js';
import { searchLocally } from '../support/searchIndex.js';

const PAGE_BYTES = 20_000;
const REFERENCE_PAGES = pagePaths().filter((path) => /^\/docs\/api(\/|$)/.test(path));

function htmlOf(path: string): string {
  return builtFile(`${path.slice(1)}/index.html`);
}

test('both references have their pages', () => {
  for (const path of ['', '/datasets', '/inference', '/schemas', '/schemas/datasets']) {
    expect(REFERENCE_PAGES).toContain(`/docs/api${path}`);
  }
  for (const path of ['', '/queries', '/models', '/schemas', '/schemas/queries', '/changes']) {
    expect(REFERENCE_PAGES).toContain(`/docs/api/v2${path}`);
  }
});

test('every page keeps within its bytes', () => {
  const tooLarge = REFERENCE_PAGES.map((path) => ({
    path,
    bytes: brotliCompressSync(htmlOf(path)).length,
  })).filter(({ bytes }) => bytes > PAGE_BYTES);
  expect(tooLarge).toEqual([]);
});

test('every link between the pages of the references leads to something', () => {
  const ids = new Map(
    REFERENCE_PAGES.map((path) => [
      path,
      new Set([...htmlOf(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  const dead: string[] = [];
  let links = 0;
  for (const path of REFERENCE_PAGES) {
    for (const [, target = '', id] of htmlOf(path).matchAll(/href="(\/docs\/api[^"#]*)(?:#([^"]+))?"/g)) {
      links += 1;
      // What is no page is asked for where programs are.
      if (/\.(md|yaml)$/.test(target)) continue;
      const known = ids.get(target);
      if (!known || (id !== undefined && !known.has(id))) dead.push(`${path}: ${target}#${id}`);
    }
  }
  expect(links).toBeGreaterThan(500);
  expect(dead).toEqual([]);
});

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('an operation has its words, its fields, its samples and every answer', async ({ page }) => {
    await page.goto('/docs/api/datasets#create_dataset');
    const create = operation(page, 'create_dataset');
    await expect(create.getByText('POST', { exact: true })).toBeVisible();
    await expect(create.getByText('curl -sS -X POST')).toBeVisible();
    await expect(create.getByText('urllib.request.Request(')).toBeVisible();
    await expect(create.getByText('await fetch(')).toBeVisible();
    await expect(create.getByRole('button', { name: /^Try it/ })).toBeHidden();
    for (const status of ['200', '400', '401', '403', '409', '413', '422', '429', '500', '503', '507']) {
      await expect(create.locator('summary').filter({ hasText: status })).toBeVisible();
    }
    // The status stands out, and what its words have of code does not.
    const [status, name] = await create.locator('summary').filter({ hasText: '429' }).locator('code').all();
    await expect(status!).toHaveCSS('font-weight', '600');
    await expect(name!).toHaveText('retry-after');
    await expect(name!).toHaveCSS('font-weight', '400');
    await create.locator('summary').filter({ hasText: '409' }).click();
    await expect(create.getByText('urn:siftwren:error:already-exists')).toBeVisible();
    const postgres = create.locator('.variants > li').filter({ hasText: 'POSTGRES' });
    await postgres.locator('summary').first().click();
    await expect(postgres.getByText('replication_key', { exact: true })).toBeVisible();
  });

  test('a schema is one link away, and says who uses it', async ({ page }) => {
    await page.goto('/docs/api/v2/queries');
    await operation(page, 'run_query').getByRole('link', { name: 'Query', exact: true }).first().click();
    await expect(page).toHaveURL(/\/docs\/api\/v2\/schemas\/queries#Query$/);
    await expect(page.getByRole('heading', { name: 'Query', exact: true })).toBeInViewport();
  });
});

test('the navbar leads to the reference, and the sidebar to an operation', async ({ page }) => {
  await page.goto('/docs/metrics/ndcg');
  await takenOver(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API' }).click();
  await expect(title(page)).toHaveText('API v1');
  const sidebar = page.getByRole('navigation', { name: 'Documentation' });
  await sidebar.getByRole('link', { name: 'Datasets' }).click();
  await expect(title(page)).toHaveText('Datasets, API v1');
  await sidebar.getByRole('link', { name: 'Insert rows' }).click();
  await expect(page).toHaveURL(/\/docs\/api\/datasets#insert_rows$/);
  await expect(page.getByRole('heading', { name: 'Insert rows' })).toBeInViewport();
});

test('the styles of references arrive with a page that is navigated to', async ({ page }) => {
  await page.goto('/docs/metrics/ndcg');
  await takenOver(page);
  const sheets = () => page.locator('link[rel=stylesheet][href*=referenceStyles]').count();
  expect(await sheets()).toBe(0);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API' }).click();
  await expect(title(page)).toHaveText('API v1');
  expect(await sheets()).toBe(1);
});

test.describe('offline', () => {
  test.use({ expectedErrors: /ERR_CONNECTION_REFUSED|siftwren: live search failed/ });

for (const [words, address] of [
  ['create_dataset', /\/docs\/api(\/v2)?\/datasets#create_dataset$/],
  ['rank_attribute_grid', /\/docs\/api\/inference#rank_attribute_grid$/],
  ['PostgresDataset', /\/docs\/api(\/v2)?\/schemas\/datasets#PostgresDataset$/],
] as const) {
  test(`the search finds ${words}`, async ({ page, search }) => {
    await searchLocally(page);
    await page.goto('/docs/api');
    await search.open();
    await search.searchFor(words);
    await search.expectHits('offline');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(address);
  });
}

});

test('on a phone operations stand in columns, and lines end between the parts of their paths', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 });
  for (const path of ['/docs/api', '/docs/api/v2', '/docs/api/v2/changes']) {
    await page.goto(path);
    const operations = await page.locator('.prose li:has(> .method)').evaluateAll((all) =>
      all.map((operation) => {
        const [link, code] = [operation.querySelector('a'), operation.querySelector('code')];
        const lines = (part: ChildNode) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size;
        };
        return {
          name: link?.getBoundingClientRect().left,
          path: code?.getBoundingClientRect().left,
          linesOfParts: Math.max(...[...(code?.childNodes ?? [])].map(lines)),
        };
      }),
    );
    expect(operations.length, path).toBeGreaterThan(10);
    const [first] = operations;
    for (const operation of operations) expect(operation, path).toEqual({ ...first, linesOfParts: 1 });
    expect(first?.path, path).toBe(first?.name);
  }
});

test('the samples of a page run as they stand, in every language', async ({ page }) => {
  await page.goto('/docs/api/datasets');
  const list = operation(page, 'list_datasets');
  const environment = { ...process.env, SIFTWREN_API_KEY: keys().admin };
  const run = (program: string, ...parameters: string[]) =>
    execFileSync(program, parameters, { env: environment, encoding: 'utf8', timeout: 20_000 });
  const code = async (tab: string) =>
    (await list.locator(`.tab[data-tab="${tab}"] code`).textContent()) ?? '';
  const answered = { datasets: expect.any(Array) as unknown };
  expect(JSON.parse(run('bash', '-c', await code('curl')))).toEqual(answered);
  expect(run('python3', '-c', await code('python'))).toContain("{'datasets': [");
  expect(run('node', '--input-type=module', '-e', await code('javascript'))).toContain('datasets');
});

for (const width of [718, 1440]) {
  test(`on paper ${width} pixels wide no sample is cut, and nothing is there to be pressed`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/docs/api/datasets');
    const create = operation(page, 'create_dataset');
    const form = await openConsole(page, 'create_dataset');
    await page.emulateMedia({ media: 'print' });
    const cut = await page.locator('pre, .operation-samples').evaluateAll((all) =>
      all
        .filter((element) => element.checkVisibility())
        .filter(
          ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
            scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1,
        )
        .map(({ textContent }) => textContent?.slice(0, 80)),
    );
    expect(cut).toEqual([]);
    await expect(form).toBeHidden();
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(create.locator('.operation-samples')).toHaveCSS('position', 'static');
    await expect(create.getByText('await fetch(')).toBeVisible();
    // Fields and other requests are unfolded; what an error looks like is the same in every operation.
    await expect(create.getByText('replication_key', { exact: true }).first()).toBeVisible();
    await expect(create.locator('.operation-samples details pre').first()).toBeVisible();
    await expect(create.locator('summary').filter({ hasText: '409' })).toBeVisible();
    await expect(create.getByText('urn:siftwren:error:already-exists')).toBeHidden();
  });
}

test.describe('to axe', () => {
  test.use({ bypassCSP: true, contextOptions: { reducedMotion: 'reduce' } });

  for (const path of [
    '/docs/api',
    '/docs/api/datasets',
    '/docs/api/v2/queries',
    '/docs/api/v2/changes',
    '/docs/api/schemas',
    '/docs/api/schemas/datasets',
  ]) {
    test(`${path} is clean, folded and unfolded`, async ({ page }) => {
      test.slow();
      await page.goto(path);
      for (const width of [375, 996, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme });
          expect.soft(await audit(page), `${colorScheme}, ${width} px`).toEqual([]);
        }
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect.soft(overflow, `sideways at ${width} px`).toBeLessThanOrEqual(0);
      }
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      expect.soft(await audit(page), 'unfolded').toEqual([]);
    });
  }
});
