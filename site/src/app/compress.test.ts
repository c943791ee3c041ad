// @vitest-environment node
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compressSite } from '../../tools/compress.mjs';
import { originalsBelow } from '../../tools/siteFiles.mjs';

const TEXT = 'A sentence of a page. '.repeat(40);

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'compress-'));
  for (const file of ['index.html', 'fragments/pages/index.json', 'index.md', 'picture.png']) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), TEXT);
  }
  await writeFile(join(root, 'short.json'), '{}');
});
afterEach(() => rm(root, { recursive: true }));

const compressed = async () =>
  (await readdir(root, { recursive: true })).filter((file) => /\.(br|gz)$/.test(file)).sort();

test('each text has both beside it, unless it is too short to shrink', async () => {
  const { files, way } = compressSite(root, originalsBelow(root));
  expect(files.sort()).toEqual(
    ['fragments/pages/index.json', 'index.html', 'index.md'].map((file) => join(root, file)),
  );
  expect(way).toBe('thorough');
  expect(await compressed()).toEqual(
    ['fragments/pages/index.json', 'index.html', 'index.md'].flatMap((file) => [
      `${file}.br`,
      `${file}.gz`,
    ]),
  );
  const file = (end: string) => readFile(join(root, `index.html${end}`));
  expect(brotliDecompressSync(await file('.br')).toString()).toBe(TEXT);
  expect(gunzipSync(await file('.gz')).toString()).toBe(TEXT);
});

test('a large site has what readers wait for', async () => {
  await writeFile(join(root, 'large.txt'), TEXT.repeat(12_000));
  await writeFile(join(root, 'llms-full.txt'), TEXT);
  await mkdir(join(root, 'assets/search'), { recursive: true });
  await writeFile(join(root, 'assets/search/t0.bin'), TEXT);
  compressSite(root, originalsBelow(root));
  expect(await compressed()).toEqual([
    'assets/search/t0.bin.br',
    'fragments/pages/index.json.br',
    'index.html.br',
    'index.html.gz',
    'large.txt.br',
    'large.txt.gz',
  ]);
});
