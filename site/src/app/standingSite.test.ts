// @vitest-environment node
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileDigests } from '../../tools/fileDigests.mjs';
import { StandingSite } from '../../tools/standingSite.mjs';

let root: string;
let target: string;
let standing: StandingSite;

const BUNDLES = 'bundles';
const put = async (file: string, text: string) => {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
};

/** A site of these files, each of which is made from what stands here, with a bundle and a service worker, as the last build left it. */
async function stand(files: Record<string, string>): Promise<void> {
  const made = new Map();
  for (const [name, source] of Object.entries(files)) {
    await put(`site/${name}`, `${source}, whole`);
    await put(`site/${name}.br`, 'packed');
    const { size, mtimeMs } = await stat(join(target, name));
    made.set(name, { key: source, parts: { '': [size, mtimeMs], '.br': [6, mtimeMs] } });
  }
  for (const folder of [`${BUNDLES}/dist`, 'site']) {
    await put(`${folder}/assets/boot.js`, 'boot');
    await put(`${folder}/assets/boot.js.br`, 'packed');
  }
  await put('site/sw.js', 'worker');
  await put('site/sw.js.gz', 'packed');
  standing = new StandingSite(target, join(root, BUNDLES), made);
}

/** Builds it of these files. The answer is which of them were made. */
async function change(files: Record<string, string>): Promise<string[]> {
  const dist = join(root, 'site.partial');
  const begun = standing.change(dist);
  if (begun === null) throw new Error('the site does not stand');
  const made: string[] = [];
  for (const [name, source] of Object.entries(files)) {
    if (begun.take([name], source)) continue;
    made.push(name);
    await writeFile(begun.place(name), `${source}, changed`);
  }
  await writeFile(begun.place('sw.js'), 'worker, changed');
  expect(begun.names()).toEqual(['assets/boot.js', ...Object.keys(files)].sort());
  for (const name of Object.keys(files)) {
    const text = await readFile(begun.path(name), 'utf8');
    expect(text.startsWith(files[name] ?? '')).toBe(true);
    expect(begun.path(name) === join(target, name)).toBe(!made.includes(name));
  }
  standing.finish(begun);
  await rm(dist, { recursive: true });
  return made;
}

/** What is there besides the bundle and the service worker. */
async function left(): Promise<Record<string, string>> {
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const names = entries.map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1));
  expect(names).toContain('assets/boot.js.br');
  expect(await readFile(join(target, 'assets/boot.js'), 'utf8')).toBe('boot');
  const others = names.filter((name) => !/^(assets(\/boot.*)?|sw\..*)$/.test(name)).sort();
  const texts = others.map(async (name) => [
    name,
    (await stat(join(target, name))).isDirectory()
      ? ''
      : await readFile(join(target, name), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'standing-'));
  target = join(root, 'site');
});
afterEach(() => rm(root, { recursive: true }));

test('only what is another is written, and what is gone leaves nothing', async () => {
  await stand({ 'a.html': 'a', 'b.html': 'b', 'c/d/e.html': 'e', 'c/f.html': 'f' });
  const { ino } = await stat(join(target, 'a.html'));
  expect(
    await change({ 'a.html': 'a', 'b.html': 'other', 'c/f.html': 'f', 'g/h.html': 'h' }),
  ).toEqual(['b.html', 'g/h.html']);
  expect(await left()).toEqual({
    'a.html': 'a, whole',
    'a.html.br': 'packed',
    // The copy was one of what stood here before.
    'b.html': 'other, changed',
    c: '',
    'c/f.html': 'f, whole',
    'c/f.html.br': 'packed',
    g: '',
    'g/h.html': 'h, changed',
  });
  expect((await stat(join(target, 'a.html'))).ino).toBe(ino);
  expect(await readFile(join(target, 'sw.js'), 'utf8')).toBe('worker, changed');
  expect(await readdir(target)).not.toContain('sw.js.gz');
  // What the build before made is known as well.
  expect(await change({ 'b.html': 'other', 'g/h.html': 'again' })).toEqual(['g/h.html']);
  expect(Object.keys(await left())).toEqual(['b.html', 'g', 'g/h.html']);
});

test('assets stay for one build longer, for the pages that are open', async () => {
  await stand({ 'assets/nav-1.json': 'one', 'a.html': 'one' });
  await change({ 'assets/nav-2.json': 'two' });
  expect(await left()).toEqual({
    'assets/nav-1.json': 'one, whole',
    'assets/nav-1.json.br': 'packed',
    'assets/nav-2.json': 'two, changed',
  });
  await change({ 'assets/nav-3.json': 'three' });
  expect(Object.keys(await left())).toEqual(['assets/nav-2.json', 'assets/nav-3.json']);
});

test('an asset that comes back is one of the site again', async () => {
  await stand({ 'assets/nav-1.json': 'one' });
  await change({ 'assets/nav-2.json': 'two' });
  expect(await change({ 'assets/nav-1.json': 'one' })).toEqual(['assets/nav-1.json']);
  expect(await left()).toEqual({
    'assets/nav-1.json': 'one, changed',
    'assets/nav-2.json': 'two, changed',
  });
  expect(await change({ 'assets/nav-1.json': 'one' })).toEqual([]);
  expect(Object.keys(await left())).toEqual(['assets/nav-1.json']);
});

test('a folder takes the place of a file, and a file that of a folder', async () => {
  await stand({ a: 'a', 'b/c': 'c' });
  expect(await change({ 'a/d': 'd', b: 'b' })).toEqual(['a/d', 'b']);
  expect(await left()).toEqual({ a: '', 'a/d': 'd, changed', b: 'b, changed' });
});

test('a file of the output is not written again', async () => {
  await stand({ 'a.html': 'a' });
  await put('output/b.md', 'text');
  const begun = standing.change(join(root, 'site.partial'));
  if (begun === null) throw new Error('the site does not stand');
  expect([begun.take(['a.html'], 'a'), begun.take(['b.md'], 'b')]).toEqual([true, false]);
  begun.bring(join(root, 'output/b.md'), 'b.md');
  standing.finish(begun);
  expect((await left())['b.md']).toBe('text');
  const [output, site] = await Promise.all(
    ['output/b.md', 'site/b.md'].map((file) => stat(join(root, file))),
  );
  expect(site?.ino).toBe(output?.ino);
});

test('files that belong together are made together', async () => {
  await stand({ 'a.html': 'a', 'a.json': 'a' });
  const begun = standing.change(join(root, 'site.partial'));
  expect(begun?.take(['a.html', 'a.json'], 'a')).toBe(true);
  expect(begun?.take(['a.html', 'a.json', 'b.json'], 'a')).toBe(false);
});

test('nothing stands where somebody has removed something', async () => {
  await stand({ 'a.html': 'a', 'b/c.html': 'c' });
  expect(await change({ 'a.html': 'a', 'b/c.html': 'other' })).toEqual(['b/c.html']);
  await rm(join(target, 'b'), { recursive: true });
  expect(standing.change(join(root, 'site.partial'))).toBeNull();
});

test('nothing stands where another folder has taken the place', async () => {
  await stand({ 'a.html': 'a' });
  await rename(target, join(root, 'before'));
  expect(standing.change(join(root, 'site.partial'))).toBeNull();
  await mkdir(target);
  expect(standing.change(join(root, 'site.partial'))).toBeNull();
});

test('a file that is as it was is not read again, one that was replaced is', async () => {
  const digests = new FileDigests();
  const file = join(root, 'page.json');
  await put('page.json', 'one');
  const first = digests.of(file);
  expect(digests.of(file)).toBe(first);
  await put('page.json.new', 'two');
  await rename(`${file}.new`, file);
  const second = digests.of(file);
  expect(second).not.toBe(first);
  await put('page.json', 'three');
  expect([first, second]).not.toContain(digests.of(file));
});
