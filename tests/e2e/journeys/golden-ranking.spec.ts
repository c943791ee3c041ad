/** The shipped module ranks in a browser as the native engine does, to the bit of every score. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { environment, SITE_ORIGIN } from '../support/environment.js';
import { expect, test } from '../support/fixtures.js';

const FOLDER = `${SITE_ORIGIN}/golden/`;
const HEADERS = {
  'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
};

const RUN = `
  import init, * as engine from './wasm_core.js';
  import { check } from './golden.mjs';
  const [index, queries, expected] = await Promise.all([
    fetch('index.bin').then((response) => response.arrayBuffer()),
    fetch('queries.json').then((response) => response.json()),
    fetch('expected.json').then((response) => response.json()),
    init({ module_or_path: 'wasm_core_bg.wasm' }),
  ]);
  globalThis.golden = { queries: queries.length, differences: check(engine, new Uint8Array(index), queries, expected) };
`;

/** A page of its own with the module, the golden files and the check. */
async function serve(page: Page, files: Record<string, { body: string | Buffer; type: string }>) {
  await page.route(`${FOLDER}**`, (route) => {
    const name = route.request().url().slice(FOLDER.length);
    const file = files[name === '' ? 'index.html' : name];
    return file === undefined
      ? route.fulfill({ status: 404 })
      : route.fulfill({ body: file.body, contentType: file.type, headers: HEADERS });
  });
}

function golden(name: string, type: string) {
  return { body: readFileSync(join(environment.SIFTWREN_TEST_GOLDEN, name)), type };
}

function built(name: string, type: string) {
  return { body: readFileSync(join(environment.SIFTWREN_TEST_WASM, name)), type };
}

test('the golden hits and score bits', async ({ page }) => {
  const script = 'text/javascript';
  await serve(page, {
    'index.html': {
      body: '<!doctype html><script type="module" src="run.mjs"></script>',
      type: 'text/html',
    },
    'run.mjs': { body: RUN, type: script },
    'golden.mjs': golden('golden.mjs', script),
    'index.bin': golden('index.bin', 'application/octet-stream'),
    'queries.json': golden('queries.json', 'application/json'),
    'expected.json': golden('expected.json', 'application/json'),
    'wasm_core.js': built('wasm_core.js', script),
    'wasm_core_bg.wasm': built('wasm_core_bg.wasm', 'application/wasm'),
  });
  await page.goto(FOLDER);
  const result = () =>
    page.evaluate(
      () => (globalThis as { golden?: { queries: number; differences: string[] } }).golden ?? null,
    );
  await expect.poll(result).not.toBeNull();
  const outcome = await result();
  expect(outcome?.differences).toEqual([]);
  expect(outcome?.queries).toBeGreaterThan(0);
});
