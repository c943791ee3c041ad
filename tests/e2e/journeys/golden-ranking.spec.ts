/** The shipped module ranks in a browser as the native engine does, to the bit of every score. */
import { readdirSync, readFileSync } from 'node:fs';
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
  const json = (name) => fetch(name).then((response) => response.json());
  const read = async (name) => new Uint8Array(await (await fetch('index/' + name)).arrayBuffer());
  const [files, queries, expected] = await Promise.all([
    json('index/files.json'),
    json('queries.json'),
    json('expected.json'),
    init({ module_or_path: 'wasm_core_bg.wasm' }),
  ]);
  const differences = await check(engine, files, read, queries, expected);
  globalThis.golden = { queries: queries.length, differences };
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

/** The files of the golden index, which the engine asks for one after the other. */
function goldenIndex() {
  const folder = join(environment.SIFTWREN_TEST_GOLDEN, 'index');
  const served = readdirSync(folder).map((name) => {
    const type = name.endsWith('.json') ? 'application/json' : 'application/octet-stream';
    return [`index/${name}`, golden(`index/${name}`, type)] as const;
  });
  return Object.fromEntries(served);
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
    ...goldenIndex(),
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
