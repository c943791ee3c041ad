// @vitest-environment node
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EarlierBuild } from '../../tools/earlierBuild.mjs';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'earlier-'));
  await mkdir(join(root, 'kept'));
});
afterEach(() => rm(root, { recursive: true }));

const read = (file: string) => readFile(join(root, 'site', file), 'utf8');

/**
 * Builds a site of these files, each of which is made from what stands here; in its text is the number of the build that made it.
 * The answer is the files that were made anew.
 */
async function build(
  number: number,
  files: Record<string, string>,
  { code = 'code', way = 'quick' } = {},
): Promise<string[]> {
  const [target, dist] = [join(root, 'site'), join(root, 'site.partial')];
  const bundles = join(root, 'kept', code);
  await mkdir(join(bundles, 'dist/assets'), { recursive: true });
  await writeFile(join(bundles, 'dist/assets/boot.js'), code);
  await writeFile(join(bundles, 'dist/assets/boot.js.br'), code);
  const earlier = new EarlierBuild({ target, dist, bundles });
  const made: string[] = [];
  for (const [name, source] of Object.entries(files)) {
    if (!earlier.take([name, `${name}.data`], source)) {
      made.push(name);
      await mkdir(dirname(join(dist, name)), { recursive: true });
      await writeFile(join(dist, name), `${source} by ${number}`);
      await writeFile(join(root, 'kept/data'), `data by ${number}`);
      earlier.bring(join(root, 'kept/data'), `${name}.data`);
    }
    if (!earlier.isCompressed(join(dist, name), way)) {
      await writeFile(join(dist, `${name}.br`), `${way} by ${number}`);
    }
  }
  const names = Object.keys(files).flatMap((name) => [name, `${name}.data`]);
  expect(earlier.names()).toEqual([...names, 'assets/boot.js'].sort());
  await rm(target, { recursive: true, force: true });
  await rename(dist, target);
  earlier.remember(way);
  return made;
}

test('what is made from the same is taken over with all that belongs to it, the rest is made anew', async () => {
  expect(await build(1, { 'a.html': 'a', 'b/b.html': 'b' })).toEqual(['a.html', 'b/b.html']);
  expect(await build(2, { 'a.html': 'a', 'b/b.html': 'other' })).toEqual(['b/b.html']);
  expect(await read('a.html')).toBe('a by 1');
  expect(await read('a.html.data')).toBe('data by 1');
  expect(await read('a.html.br')).toBe('quick by 1');
  expect(await read('b/b.html')).toBe('other by 2');
  expect(await read('b/b.html.br')).toBe('quick by 2');
  // What came with the build before last is known as well.
  expect(await build(3, { 'a.html': 'a', 'b/b.html': 'other' })).toEqual([]);
  // A page that is gone leaves nothing.
  expect(await build(4, { 'a.html': 'a' })).toEqual([]);
  expect((await readdir(join(root, 'site'))).sort()).toEqual([
    'a.html',
    'a.html.br',
    'a.html.data',
  ]);
});

test.each([
  ['the file', 'a.html'],
  ['what is made with it', 'a.html.data'],
  ['its compressed copy', 'a.html.br'],
])('%s was changed or removed by somebody: it is made anew', async (_, file) => {
  await build(1, { 'a.html': 'a' });
  await appendFile(join(root, 'site', file), '!');
  expect(await build(2, { 'a.html': 'a' })).toEqual(['a.html']);
  expect(await read(file)).not.toContain('!');
  // Of the same length.
  await writeFile(join(root, 'site', file), (await read(file)).replace('by', '!!'));
  expect(await build(3, { 'a.html': 'a' })).toEqual(['a.html']);
  expect(await read(file)).not.toContain('!');
  await rm(join(root, 'site', file));
  expect(await build(4, { 'a.html': 'a' })).toEqual(['a.html']);
  expect(await read(file)).toContain('by 4');
});

test('nothing is taken over from a build of other code, nor without a record that can be read', async () => {
  await build(1, { 'a.html': 'a' });
  expect(await build(2, { 'a.html': 'a' }, { code: 'newer' })).toEqual(['a.html']);
  const kept = await readdir(join(root, 'kept'));
  const record = kept.find((name) => name.startsWith('record-')) ?? '';
  await writeFile(join(root, 'kept', record), '{"code":"newer","files":{');
  expect(await build(3, { 'a.html': 'a' }, { code: 'newer' })).toEqual(['a.html']);
});

test('copies that were compressed in another way are made anew', async () => {
  await build(1, { 'a.html': 'a' });
  expect(await build(2, { 'a.html': 'a' }, { way: 'thorough' })).toEqual([]);
  expect(await read('a.html.br')).toBe('thorough by 2');
});
