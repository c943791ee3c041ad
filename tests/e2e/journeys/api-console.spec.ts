/** The console of the API reference, against the real platform and against ones that fail. */
import { audit } from '../support/accessibility.js';
import { PLATFORM_ORIGIN } from '../support/environment.js';
import { expect, takenOver, test } from '../support/fixtures.js';
import { keys, openConsole, operation } from '../support/reference.js';

const CHUNK_BYTES = 40_000;

test('nothing of the console is loaded before somebody asks for it, and little then', async ({
  page,
}) => {
  await page.goto('/docs/api/datasets');
  await takenOver(page);
  const asked: string[] = [];
  let bytes = 0;
  page.on('requestfinished', async (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/assets/api')) return;
    asked.push(pathname);
    bytes += (await request.sizes()).responseBodySize;
  });
  const form = await openConsole(page, 'create_dataset');
  await expect(form.getByRole('textbox', { name: 'Body' })).toHaveValue(/"name": "films"/);
  expect(asked.some((path) => /^\/assets\/api\/.*create_dataset/.test(path))).toBe(true);
  await expect.poll(() => bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(CHUNK_BYTES);
});

test('a request goes to the platform, and its answer is shown whole', async ({ page }) => {
  await page.goto('/docs/api/datasets');
  const form = await openConsole(page, 'list_datasets');
  await form.getByLabel('x-api-key').fill(keys().admin);
  const asked = page.waitForRequest(`${PLATFORM_ORIGIN}/v1/datasets/`);
  await form.getByRole('button', { name: 'Send' }).click();
  expect((await asked).headers()['x-api-key']).toBe(keys().admin);
  await expect(form.locator('[data-answer="200"]')).toHaveText(/200.*\d+ ms.*(bytes|kB)/);
  await expect(form.getByRole('status')).toHaveText(/^200 OK \d+ ms [\d.]+ (bytes|kB)$/);
  await expect(form.getByLabel('Body of the answer')).toContainText('"datasets": [');
  await form.locator('summary').filter({ hasText: /^\d+ headers?$/ }).click();
  await expect(form.getByText('content-type', { exact: true })).toBeVisible();

  // The next console knows the key, and nothing that outlives the page does.
  const other = await openConsole(page, 'get_dataset');
  await expect(other.getByLabel('x-api-key')).toHaveValue(keys().admin);
  // To a screen reader each is called as its button.
  for (const console of [form, other]) {
    await expect(console).toHaveAccessibleName(/^Try it: ./);
    await expect(page.getByRole('form', { name: (await console.getAttribute('aria-label')) ?? '' })).toHaveCount(1);
  }
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
  );
  expect(kept).not.toContain(keys().admin);
  await page.reload();
  const again = await openConsole(page, 'list_datasets');
  await expect(again.getByLabel('x-api-key')).toHaveValue('');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true });

  test('no field has letters for which Safari would enlarge the page', async ({ page }) => {
    await page.goto('/docs/api/datasets');
    const form = await openConsole(page, 'create_dataset');
    const fields = form.locator('input, textarea, select');
    await expect(fields.first()).toBeVisible();
    expect(await fields.count()).toBeGreaterThan(2);
    for (const field of await fields.all()) await expect(field).toHaveCSS('font-size', '16px');
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  });
});

test.describe('with forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } });

  test('what sends looks like a button', async ({ page }) => {
    await page.goto('/docs/api/probes');
    const form = await openConsole(page, 'ping');
    const send = form.getByRole('button', { name: 'Send' });
    await expect(send).toHaveCSS('border-style', 'solid');
    await expect(send).not.toHaveCSS('border-color', /rgba\(.*, 0\)/);
  });
});

test.describe('an error of the platform', () => {
  test.use({ expectedErrors: /status of 4/ });

  test('is an answer like any other', async ({ page }) => {
    await page.goto('/docs/api/datasets');
    const form = await openConsole(page, 'get_dataset');
    await form.getByLabel('x-api-key').fill(keys().admin);
    await form.getByLabel('dataset_name').fill('no_such_dataset');
    await expect(form.getByText('/v1/datasets/no_such_dataset')).toBeVisible();
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByLabel('dataset_name').fill('another');
    await expect(form.locator('[data-answer="404"]')).toBeVisible();
    await expect(form.getByText(`${PLATFORM_ORIGIN}/v1/datasets/no_such_dataset`).first()).toBeVisible();
    await expect(form.locator('pre')).toContainText('no_such_dataset');
  });
});

test('what is typed is held to the schema at once', async ({ page }) => {
  await page.goto('/docs/api/datasets');
  const form = await openConsole(page, 'create_dataset');
  const body = form.getByRole('textbox', { name: 'Body' });
  const problems = form.locator('[data-problems]');
  await expect(problems).toContainText('x-api-key This key is missing.');
  await form.getByLabel('x-api-key').fill(keys().admin);
  await expect(problems).toHaveAttribute('data-problems', '0');
  await form.getByLabel('Example').selectOption({ label: 'A table of a database' });
  await expect(body).toHaveValue(/POSTGRES/);
  await expect(problems).toHaveAttribute('data-problems', '0');

  await body.fill('{"name": "films", "schema_type": "POSTGRES", "hots": 1}');
  await expect(problems).toContainText('The field "host" is missing.');
  await expect(problems).toContainText('There is no field "hots".');
  await expect(body).toHaveAttribute('aria-invalid', 'true');
  await body.fill('{"name": "films", "schema_type": "ORACLE"}');
  await expect(problems).toContainText('schema_type');
  await expect(problems).toContainText('This must be one of');
  await body.fill('[]');
  await expect(problems.getByRole('listitem')).toHaveCount(1);
  await body.fill('{"name": 1, "schema_type": "CUSTOM"}');
  await expect(problems).not.toContainText('Expected "object"');
  await body.fill('{"name": }');
  await expect(problems).toContainText('This is not JSON, from line 1, column 10 on: expected a value');
  await body.fill('');
  await expect(problems).toContainText('The body is missing.');
});

test.describe('a platform that fails', () => {
  test.use({ expectedErrors: /ERR_CONNECTION_REFUSED|net::ERR|Failed to load|Fetch API/ });

  test('refused: the console says so, and can be sent again', async ({ page }) => {
    await page.goto('/docs/api/probes');
    const form = await openConsole(page, 'ping');
    await page.route(`${PLATFORM_ORIGIN}/**`, (route) => route.abort('connectionrefused'));
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByText(`No answer from ${PLATFORM_ORIGIN}.`)).toBeVisible();
    await page.unrouteAll();
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.locator('[data-answer="200"]')).toBeVisible();
  });

  test('redirects: the key goes nowhere else, and the console says why', async ({ page }) => {
    await page.goto('/docs/api/probes');
    const form = await openConsole(page, 'ping');
    const asked: string[] = [];
    await page.route(`${PLATFORM_ORIGIN}/**`, (route) => {
      asked.push(route.request().url());
      return route.fulfill({
        status: 302,
        headers: { location: '/elsewhere', 'access-control-allow-origin': '*' },
      });
    });
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByText(`${PLATFORM_ORIGIN} redirects to another address.`)).toBeVisible();
    expect(asked.filter((url) => url.endsWith('/elsewhere'))).toEqual([]);
  });

  test('silent: the request can be cancelled', async ({ page }) => {
    await page.goto('/docs/api/probes');
    const form = await openConsole(page, 'ping');
    await page.route(`${PLATFORM_ORIGIN}/**`, () => {});
    await form.getByRole('button', { name: 'Send' }).focus();
    await page.keyboard.press('Enter');
    await expect(form.getByRole('button', { name: 'Cancel' })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(form.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(form.getByText('Cancelled.')).toBeVisible();
    await expect(form.getByRole('button', { name: 'Send' })).toBeFocused();
  });

  test('markup and a flood: shown as text, and cut', async ({ page }) => {
    await page.goto('/docs/api/probes');
    const form = await openConsole(page, 'ping');
    const hostile = `<img src=x onerror="document.title='owned'">${'a'.repeat(3_000_000)}`;
    await page.route(`${PLATFORM_ORIGIN}/**`, (route) =>
      route.fulfill({
        body: hostile,
        contentType: 'text/html',
        headers: { 'access-control-allow-origin': '*' },
      }),
    );
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.locator('pre')).toContainText('<img src=x');
    await expect(form.getByText('the rest is not shown')).toBeVisible();
    expect(await form.locator('pre img').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
  });
});

test('the keyboard alone: open, fill, send, close, and back to the button', async ({ page }) => {
  await page.goto('/docs/api/probes');
  const button = operation(page, 'ping').getByRole('button', { name: /^Try it/ });
  await button.focus();
  await page.keyboard.press('Enter');
  const form = operation(page, 'ping').locator('form');
  await expect(form.locator('p').first()).toBeFocused();
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Tab');
  await expect(form.getByRole('button', { name: 'Send' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form.locator('[data-answer="200"]')).toBeInViewport();
  await expect(form.getByRole('button', { name: 'Send' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(form.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(button).toHaveAttribute('aria-expanded', 'false');
});

test('what was typed is there again, and an answer goes with the example that it was for', async ({
  page,
}) => {
  await page.goto('/docs/api/datasets');
  const form = await openConsole(page, 'create_dataset');
  await form.getByLabel('Example').selectOption({ label: 'A table of a database' });
  await form.getByLabel('x-api-key').fill('кл');
  await expect(form.locator('[data-problems]')).toContainText('A key is made of ASCII letters');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByRole('status')).toHaveText(/^x-api-key: /);
  await form.getByLabel('Example').selectOption({ index: 0 });
  await expect(form.getByRole('status')).toHaveText('');
  const body = form.getByRole('textbox', { name: 'Body' });
  await body.fill('{"name": "mine"}');
  await form.getByRole('button', { name: 'Close' }).click();
  await openConsole(page, 'create_dataset');
  await expect(body).toHaveValue('{"name": "mine"}');
  // The first example was edited, and comes back when it is chosen.
  const example = form.getByLabel('Example');
  await expect(example.getByRole('option', { selected: true })).toHaveText('Edited');
  await example.selectOption({ label: 'A table of a database' });
  await expect(body).toHaveValue(/POSTGRES/);
});

test('what deletes is sent when it was asked for twice, and to no address that is not shown', async ({
  page,
}) => {
  const asked: string[] = [];
  await page.route(`${PLATFORM_ORIGIN}/**`, (route) => {
    asked.push(`${route.request().method()} ${route.request().url()}`);
    return route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' } });
  });
  await page.goto('/docs/api/datasets');
  const form = await openConsole(page, 'delete_dataset');
  const name = form.getByLabel('dataset_name');
  for (const wrong of ['', '..']) {
    await name.fill(wrong);
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByRole('status')).toHaveText(/^dataset_name: /);
  }
  await name.fill('films');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByRole('status')).toHaveText(/^This deletes for good\.[^:]*$/);
  await name.fill('other');
  await expect(form.getByText('This deletes for good.')).toBeHidden();
  expect(asked).toEqual([]);
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByRole('button', { name: 'Delete' }).click();
  await expect(form.locator('[data-answer="200"]')).toBeVisible();
  expect(asked).toContain(`DELETE ${PLATFORM_ORIGIN}/v1/datasets/other`);
  await expect(form.getByRole('button', { name: 'Send' })).toBeFocused();
});

test('leaving the page closes its consoles', async ({ page }) => {
  await page.goto('/docs/api/datasets');
  await openConsole(page, 'list_datasets');
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Models' }).first().click();
  await expect(page).toHaveURL(/\/models$/);
  await page.goBack();
  await expect(operation(page, 'list_datasets')).toBeVisible();
  await expect(page.locator('form')).toHaveCount(0);
});

test.describe('to axe', () => {
  test.use({ bypassCSP: true, contextOptions: { reducedMotion: 'reduce' } });

  test('the console is clean: filled, wrong, answered', async ({ page }) => {
    test.slow();
    await page.goto('/docs/api/datasets');
    const form = await openConsole(page, 'create_dataset');
    const body = form.getByRole('textbox', { name: 'Body' });
    await expect(body).toBeVisible();
    for (const state of ['filled', 'wrong'] as const) {
      if (state === 'wrong') await body.fill('{"name": 1, "schema_type": "CUSTOM"}');
      for (const width of [375, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        // Nothing may lie below the navbar, where axe cannot tell the colours.
        await page.evaluate(() => scrollTo(0, 0));
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme });
          expect.soft(await audit(page), `${state}, ${colorScheme}, ${width} px`).toEqual([]);
        }
      }
    }
    const list = await openConsole(page, 'list_datasets');
    await list.getByLabel('x-api-key').fill(keys().admin);
    await list.getByRole('button', { name: 'Send' }).click();
    await expect(list.locator('[data-answer="200"]')).toBeVisible();
    await page.evaluate(() => scrollTo(0, 0));
    expect(await audit(page)).toEqual([]);
  });
});
