// @vitest-environment node
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manifest } from '../shared/content/manifest';
import { ManifestReader } from './manifestReader';

let folder: string;
let file: string;
const reader = () => new ManifestReader();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'manifest-'));
  file = join(folder, 'manifest.json');
});
afterEach(() => rm(folder, { recursive: true }));

const CONTENT = {
  version: 1,
  site: { title: 'Docs, "one"\n{', base: '/' },
  content: { route_prefix: '/docs', landing: null },
  search: { mode: 'local', index: 'search/core.bin', files: [] },
  inputs: ['a'],
  sidebar: [],
  footer: null,
  pages: [{ path: '/docs/größe', section: 'a', data: 'pages/a.json' }],
};

/** As the indexer writes it. */
async function write(content: object): Promise<void> {
  const lines = Object.entries(content).map(
    ([name, value]) => `"${name}":${JSON.stringify(value)}`,
  );
  await writeFile(file, `{\n${lines.join(',\n')}\n}`);
}

test('a manifest is the same whether its fields have lines of their own or not', async () => {
  const expected = manifest(CONTENT, file);
  const forms = [JSON.stringify(CONTENT), JSON.stringify(CONTENT, null, 2)];
  for (const form of forms) {
    await writeFile(file, form);
    expect(reader().read(file)).toEqual(expected);
  }
  await write(CONTENT);
  expect(reader().read(file)).toEqual(expected);
});

test('fields that are the same are not decoded again', async () => {
  const known = reader();
  await write(CONTENT);
  const first = known.read(file);
  const { footer: _, ...withoutFooter } = CONTENT;
  await write({ ...withoutFooter, site: { title: 'Other' }, card: 'cards/a.png' });
  const second = known.read(file);
  expect(second.site.title).toBe('Other');
  expect(second.card).toBe('cards/a.png');
  expect(second.pages).toBe(first.pages);
  // What was there is forgotten with its line.
  await write({ ...CONTENT, pages: [] });
  expect(known.read(file)).toEqual(manifest({ ...CONTENT, pages: [] }, file));
  await writeFile(file, JSON.stringify(CONTENT));
  expect(known.read(file)).toEqual(first);
});

test('what is wrong is named by its place', async () => {
  const wrong = { ...CONTENT, pages: [{ path: 7 }] };
  const message = `${file}.pages[0].path: expected a string, found 7`;
  await write(wrong);
  expect(() => reader().read(file)).toThrow(message);
  const { search: _, ...withoutSearch } = CONTENT;
  await write(withoutSearch);
  expect(() => reader().read(file)).toThrow(`${file}.search: expected an object, found nothing`);
});
