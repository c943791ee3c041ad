// @vitest-environment node
import { copyFileSync, mkdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashSource } from './headers';
import type { Files } from './output';
import { Memory, prerender } from './prerender';
import { STYLE_PARTS, type StylePart } from './styleParts';

const INDEX = ['core', 't0', 'w0', 'n0', 'x0', 's0', 'v0', 'q0'].map((stem) => ({
  name: `${stem}.00000000.bin`,
  bytes: 5,
  kind: stem.replace('0', ''),
}));
const SEARCH = {
  mode: 'local',
  api_url: null,
  model: null,
  index: 'search/core.00000000.bin',
  files: INDEX,
};

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'prerender-'));
});
afterEach(() => rm(root, { recursive: true }));

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), content);
}

/** The indexer's output for one section 'a' with two pages and others with as many as asked for. */
async function writeInput(otherSections: number, changes: object = {}) {
  const ids = ['a', ...Array.from({ length: otherSections }, (_, index) => `b${index}`)];
  const pages = ids.flatMap((id) =>
    ['one', 'two'].map((name) => ({
      path: `/docs/${id}/${name}`,
      title: `${id} ${name}`,
      section: id,
      data: `pages/docs/${id}/${name}.json`,
    })),
  );
  for (const { path, title, section, data } of pages) {
    const content = { path, title, section: { id: section, title: section }, html: '<p>x</p>' };
    const toc = ['x', 'y'].map((id) => ({ level: 2, id, title: id }));
    await write(`in/${data}`, JSON.stringify({ ...content, description: 'd', toc }));
  }
  for (const { name } of INDEX) {
    await write(`in/search/${name}`, 'bytes');
  }
  await write('wasm/wasm_core_bg.wasm', 'wasm');
  const sidebar = ids.map((id) => ({
    id,
    title: id,
    path: null,
    items: pages.filter(({ section }) => section === id),
  }));
  await writeManifest({ sidebar, pages, ...changes });
  return { sidebar, pages };
}

function writeManifest(content: object): Promise<void> {
  const manifest = {
    version: 1,
    site: { title: 'Docs', base: '/', url: 'https://docs.example' },
    content: { route_prefix: '/docs', landing: null },
    search: SEARCH,
    footer: null,
    ...content,
  };
  return write('in/manifest.json', JSON.stringify(manifest));
}

/** JSON with each field on a line of its own. */
function byLine(content: object): string {
  const lines = Object.entries(content).map(
    ([name, value]) => `"${name}":${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}

/** Where the files of a new site go, of which none is there yet. */
const place: Files['place'] = (file) => {
  const path = join(root, 'out', file);
  mkdirSync(dirname(path), { recursive: true });
  return path;
};

const bring: Files['bring'] = (source, file) => copyFileSync(source, place(file));

function run(
  searchKey: string | null = null,
  take: Files['take'] = () => false,
  memory = new Memory(),
) {
  return prerender({
    pages: join(root, 'in'),
    files: { take, place, bring },
    memory,
    wasm: join(root, 'wasm'),
    searchKey,
    hasServiceWorker: true,
    assets: {
      boot: 'assets/boot.js',
      analytics: 'assets/analytics.js',
      wrongBase: 'assets/wrong-base.js',
      sheet: 'assets/app.css',
      wasm: 'assets/search.wasm',
    },
    inline: {
      first: 'first()',
      plainAddress: 'plain()',
      styles: Object.fromEntries(STYLE_PARTS.map((part) => [part, `.${part}{}`])) as Record<
        StylePart,
        string
      >,
    },
  });
}

const output = (file: string) => readFile(join(root, 'out', file), 'utf8');

test('search engines are not to know an unlisted page, and its section does not count it', async () => {
  const { sidebar, pages } = await writeInput(0);
  const unlisted = pages.map((page, index) => ({ ...page, unlisted: index === 1 }));
  await writeManifest({ sidebar, pages: unlisted });
  await run();
  const noIndex = '<meta name="robots" content="noindex">';
  const [one, two] = await Promise.all(
    ['one', 'two'].map((name) => output(`docs/a/${name}/index.html`)),
  );
  expect(one).not.toContain(noIndex);
  expect(one).toContain('rel="canonical"');
  expect(two).toContain(noIndex);
  expect(two).not.toContain('rel="canonical"');
  const assets = await readdir(join(root, 'out/assets'));
  const site = assets.find((name) => /^site-.*\.json$/.test(name));
  expect(JSON.parse(await output(`assets/${site}`)).sections).toMatchObject([{ pages: 1 }]);
});

test('programs are told the way to a page, which does not lead from the page to itself', async () => {
  await writeInput(0);
  await run();
  const trail = async (name: string) => {
    const html = await output(`docs/a/${name}/index.html`);
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '';
    const graph: Record<string, unknown>[] = JSON.parse(json)['@graph'];
    return graph.find((node) => node['@type'] === 'BreadcrumbList')?.itemListElement;
  };
  expect(await trail('two')).toMatchObject([
    { position: 1, name: 'a', item: 'https://docs.example/docs/a/one' },
    { position: 2, name: 'a two', item: 'https://docs.example/docs/a/two' },
  ]);
  expect(await trail('one')).toBeUndefined();
});

test('every page has its HTML and its data, and the site has all that a host needs', async () => {
  await writeInput(1);
  const report = await run();
  expect(report).toMatchObject({ pages: 4, base: '/', searchProblem: null });
  const files = (await readdir(join(root, 'out'), { recursive: true })).map((file) =>
    file.replace(/-[\w-]{10}\./, '-HASH.'),
  );
  expect(files).toEqual(
    expect.arrayContaining([
      '404.html',
      '_headers',
      'assets/search/core.00000000.bin',
      'assets/search/v0.00000000.bin',
      'assets/nav-a-HASH.json',
      'assets/nav-b0-HASH.json',
      'assets/site-HASH.json',
      'docs/a/one/index.html',
      'docs/b0/two/index.html',
      'docs/index.html',
      'favicon.svg',
      'fragments/pages/docs/a/one.json',
      'fragments/pages/index.json',
      'index.html',
      'manifest.webmanifest',
      'offline.html',
      'search.json',
    ]),
  );
  expect(await output('docs/a/one/index.html')).toContain(
    '<link rel="canonical" href="https://docs.example/docs/a/one">',
  );
});

test('what has an id beside the text has one that no heading can have', async () => {
  await writeInput(1);
  await run();
  for (const file of ['docs/a/one/index.html', '404.html', 'offline.html']) {
    const html = await output(file);
    const ids = [...html.matchAll(/<[^>]*? id="([^"]*)"/g)].map((match) => match[1]);
    expect(ids, file).toEqual(expect.arrayContaining([':app', ':main', ':menu']));
    // Those of headings never begin with one.
    expect(
      ids.filter((id) => !id?.startsWith(':')),
      file,
    ).toEqual([]);
  }
});

test('a site has the pictures of its own, and a letter without them', async () => {
  await writeInput(0);
  await run();
  const plain = await output('docs/a/one/index.html');
  expect(plain).not.toContain('data-logo');
  expect(plain).toContain('<link rel="icon" href="/favicon.svg" type="image/svg+xml">');
  expect(await output('favicon.svg')).toContain('>D</text>');

  const paths = [
    { d: 'M0 0h2v1z', transform: 'rotate(4)' },
    { d: 'M1 0h1v1z', fill_rule: 'nonzero' },
  ];
  const favicon = { src: 'assets/tab.png', media_type: 'image/png' };
  await writeInput(0, { logo: { view_box: '0 0 2 1', paths }, favicon });
  await run();
  const drawn = await output('docs/a/one/index.html');
  expect(drawn).toContain(
    '<path d="M0 0h2v1z" transform="rotate(4)"></path><path d="M1 0h1v1z" fill-rule="nonzero"></path>',
  );
  expect(drawn).toContain('<link rel="icon" href="/assets/tab.png" type="image/png">');
  expect(await output('base.html')).toContain('type="image/png" href="assets/tab.png"');
  expect(JSON.parse(await output('manifest.webmanifest')).icons).toEqual([
    { src: '/assets/tab.png', sizes: 'any', type: 'image/png' },
  ]);

  await writeInput(0, { logo: { src: 'assets/logo.webp', width: 120, height: 40 } });
  await run();
  const image = '<img src="/assets/logo.webp" width="120" height="40" alt="" data-logo=""/>';
  expect(await output('docs/a/one/index.html')).toContain(image);
  expect(await output('404.html')).toContain('src="/assets/logo.webp"');
  expect(await output('404.html')).not.toContain('.themes{}');

  const name = '<span class="visually-hidden">Docs</span>';
  expect(await output('docs/a/one/index.html')).not.toContain(name);
  const logo = { src: 'assets/logo.webp', width: 120, height: 40 };
  await writeInput(0, { logo, logo_has_title: true });
  await run();
  // In the bar and in the footer.
  expect((await output('docs/a/one/index.html')).split(name)).toHaveLength(3);
  await writeInput(0, { logo_has_title: true });
  await run();
  expect(await output('docs/a/one/index.html')).not.toContain(name);

  const dark = { src: 'assets/dark.webp', width: 90, height: 30 };
  await writeInput(0, { logo: { src: 'assets/logo.webp', width: 120, height: 40, dark } });
  await run();
  const images =
    '<img src="/assets/logo.webp" width="120" height="40" alt="" data-logo="" data-only="light"/>' +
    '<img src="/assets/dark.webp" width="90" height="30" alt="" data-logo="" data-only="dark"/>';
  for (const file of ['docs/a/one/index.html', '404.html']) {
    expect(await output(file)).toContain(images);
    expect(await output(file)).toContain('<style>.themes{}</style>');
  }
});

test('a page carries its own styles, and the policy allows those of all pages', async () => {
  await writeInput(0);
  await run();
  const styles = (html: string) =>
    [...html.matchAll(/<style>(.*?)<\/style>/g)].map((all) => all[1]);
  expect(styles(await output('docs/a/one/index.html'))).toEqual(['.shell{}', '.doc{}']);
  expect(styles(await output('404.html'))).toEqual(['.shell{}', '.notice{}']);
  const headers = await output('_headers');
  for (const part of STYLE_PARTS) expect(headers).toContain(hashSource(`.${part}{}`));
  expect(headers).toContain(
    `'wasm-unsafe-eval' ${hashSource('first()')} ${hashSource('plain()')};`,
  );
});

test('the start page is at the root too, and says where it belongs', async () => {
  await writeInput(0);
  await run();
  const canonical = '<link rel="canonical" href="https://docs.example/docs">';
  expect(await output('index.html')).toContain(canonical);
  expect(await output('docs/index.html')).toContain(canonical);
});

test('a page grows by one link for a section, not for its pages', async () => {
  await writeInput(1);
  await run();
  const small = (await output('docs/a/one/index.html')).length;
  await writeInput(101);
  await run();
  const large = (await output('docs/a/one/index.html')).length;
  expect((large - small) / 100).toBeLessThan(100);
  expect(await output('docs/a/one/index.html')).not.toContain('/docs/b7/two');
}, 30_000);

test('the same input gives the same build', async () => {
  const built = async () => {
    await run();
    return JSON.parse(await output('fragments/pages/docs/a/one.json')).build;
  };
  await writeInput(1);
  const first = await built();
  expect(await built()).toBe(first);
  await writeInput(2);
  expect(await built()).not.toBe(first);
});

test('a page whose text did not change is the same in the next build, and need not be made', async () => {
  const { sidebar, pages } = await writeInput(1);
  await run();
  const files = ['docs/a/one/index.html', 'fragments/pages/docs/a/one.json', 'docs/index.html'];
  const before = await Promise.all(files.map(output));

  // The text of another page changes, and with it the index.
  const data = 'pages/docs/b0/two.json';
  await write(`in/${data}`, (await readFile(join(root, 'in', data), 'utf8')).replace('>x<', '>y<'));
  const core = { name: 'core.11111111.bin', bytes: 5, kind: 'core' };
  await write(`in/search/${core.name}`, 'bytes');
  const search = { ...SEARCH, index: `search/${core.name}`, files: [core, ...INDEX.slice(1)] };
  await writeManifest({ sidebar, pages, search });

  const asked = new Map<string, string>();
  const take: Files['take'] = (names, key) => {
    for (const name of names) asked.set(name, key);
    return names.includes('docs/a/two/index.html');
  };
  const second = await run(null, take);
  expect(second.rendered).toBe(3);
  expect(await Promise.all(files.map(output))).toEqual(before);
  expect(await output('docs/b0/two/index.html')).toContain('>y<');

  const keys = new Map(asked);
  await write(`in/${data}`, (await readFile(join(root, 'in', data), 'utf8')).replace('>y<', '>z<'));
  await run(null, take);
  const changed = [...asked].filter(([name, key]) => keys.get(name) !== key);
  expect(changed.map(([name]) => name)).toEqual([
    'fragments/pages/docs/b0/two.json',
    'docs/b0/two/index.html',
  ]);

  // What is on every page changes all of them, but for the one that stands alone.
  await writeManifest({ sidebar, pages, search, footer: { text: 'Since 2026', links: [] } });
  keys.clear();
  for (const [name, key] of asked) keys.set(name, key);
  await run(null, take);
  const same = [...asked].filter(([name, key]) => keys.get(name) === key);
  expect(same.map(([name]) => name).filter((name) => /html|fragments/.test(name))).toEqual([
    'base.html',
  ]);
});

test('a build that knows the last one asks for the same as one that begins anew', async () => {
  const memory = new Memory();
  const digests = (two: string) => ({
    digest_names: ['pages/docs/a/one.json', 'pages/docs/a/two.json'],
    digests: ['one', two],
  });
  const footer = { footer: { text: 'Since 2026', links: [] } };
  const { pages } = await writeInput(0);
  const turned = { ...footer, pages: pages.toReversed() };
  const turnedDigests = {
    digest_names: digests('other').digest_names.toReversed(),
    digests: digests('other').digests.toReversed(),
  };
  const ways = [
    digests('two'),
    digests('two'),
    digests('other'),
    { ...digests('other'), ...footer },
    { ...digests('other'), ...turned },
    { ...turnedDigests, ...turned },
  ];
  const seen = new Set<string>();
  for (const changes of ways) {
    await writeInput(0, changes);
    const asked = async (memory?: Memory) => {
      const keys: [string, string][] = [];
      const take: Files['take'] = (names, key) => {
        keys.push(...names.map((name): [string, string] => [name, key]));
        return false;
      };
      await run(null, take, memory);
      return keys;
    };
    const anew = await asked();
    // As the indexer writes it.
    const manifest = JSON.parse(await readFile(join(root, 'in/manifest.json'), 'utf8'));
    await write('in/manifest.json', byLine(manifest));
    expect(await asked(memory)).toEqual(anew);
    seen.add(JSON.stringify(anew));
  }
  expect(seen.size).toBe(4);
});

test('what the manifest says of a file stands for its content', async () => {
  const data = 'pages/docs/a/one.json';
  const page = 'docs/a/one/index.html';
  const keys = new Map<string, string>();
  const take: Files['take'] = (names, key) => {
    for (const name of names) keys.set(name, key);
    return false;
  };
  /** What stands for the page, and for a file that is not in the manifest. */
  const keyed = async (digests: Record<string, string>, asset: string) => {
    await writeInput(0, {
      digest_names: Object.keys(digests),
      digests: Object.values(digests),
    });
    await write('in/assets/a.png', asset);
    await run(null, take);
    return [keys.get(page), keys.get('assets/a.png')];
  };
  const [first, asset] = await keyed({ [data]: 'one' }, 'picture');
  expect(asset).not.toBe('picture');
  expect(await keyed({ [data]: 'one' }, 'picture')).toEqual([first, asset]);
  const [second, changed] = await keyed({ [data]: 'two' }, 'another');
  expect(second).not.toBe(first);
  expect(changed).not.toBe(asset);
  expect(await keyed({ 'assets/a.png': 'three' }, 'another')).toEqual([expect.anything(), 'three']);
});

test('of a build in which nothing changed, nothing is made', async () => {
  await writeInput(1, { root_files: ['sitemap.xml'] });
  for (const file of ['root/sitemap.xml', 'assets/api/call.json', 'cards/a.png']) {
    await write(`in/${file}`, 'content');
  }
  const report = await run(null, () => true);
  expect(report.rendered).toBe(0);
  expect(await readdir(root)).not.toContain('out');
});

test('the Markdown of a page is a file beside it', async () => {
  const { sidebar, pages } = await writeInput(0);
  const [one, two] = pages;
  await writeManifest({ sidebar, pages: [{ ...one, markdown: 'docs/a/one.md' }, two] });
  const refused = 'pages/docs/a/one.json: the page has no Markdown.';
  await expect(run()).rejects.toThrow(refused);

  const data = 'in/pages/docs/a/one.json';
  const page = JSON.parse(await readFile(join(root, data), 'utf8'));
  await write(data, JSON.stringify({ ...page, markdown: '# One\n' }));
  await run();
  expect(await output('docs/a/one.md')).toBe('# One\n');
  expect(await output('docs/a/one/index.html')).toContain('href="/docs/a/one.md"');

  // It is made again with the page, where either of them is missing.
  const asked: string[][] = [];
  await run(null, (names) => asked.push(names) > 0);
  expect(asked).toContainEqual([
    'fragments/pages/docs/a/one.json',
    'docs/a/one/index.html',
    'docs/a/one.md',
  ]);
  expect(asked).toContainEqual(['fragments/pages/docs/a/two.json', 'docs/a/two/index.html']);
});

test('a live search without its key is left out, and the page knows the reason', async () => {
  const search = {
    ...SEARCH,
    mode: 'live',
    api_url: 'https://api.example/v1',
    model: 'm',
  };
  await writeInput(0, { search });
  const report = await run();
  expect(report.searchProblem).toContain('SIFTWREN_SEARCH_KEY');
  const html = await output('docs/a/one/index.html');
  expect(html).toContain('data-search-problem="the search key is missing');
  expect(html).not.toContain('Search docs');

  await run('k'.repeat(40));
  expect(await output('docs/a/one/index.html')).toContain('Search docs');
  expect(await output('_headers')).toContain("connect-src 'self' https://api.example;");
});

test('search.json names the core, and no page does; without a network the words must do', async () => {
  await writeInput(0);
  const { searchFiles } = await run();
  expect(JSON.parse(await output('search.json'))).toEqual({
    index: '/assets/search/core.00000000.bin',
  });
  const site = (await readdir(join(root, 'out/assets'))).find((file) => file.startsWith('site-'));
  expect(await output(`assets/${site}`)).not.toContain('core.00000000.bin');
  expect(searchFiles.filter(({ isOffline }) => isOffline).map(({ file }) => file)).toEqual(
    ['core', 't0', 'w0', 'n0', 'x0'].map((stem) => `assets/search/${stem}.00000000.bin`),
  );
});

test('a page of another language says which, has its own lists, and knows where it is in the others', async () => {
  const { sidebar, pages } = await writeInput(0);
  const fr = { path: '/docs/fr/a/one', section: 'fr/a', data: 'pages/docs/fr/a/one.json' };
  const french = { ...fr, title: 'un', section: { id: 'fr/a', title: 'A' }, html: '<p>x</p>' };
  await write(`in/${fr.data}`, JSON.stringify({ ...french, description: 'd', toc: [] }));
  const items = [
    { path: fr.path, title: 'un' },
    { ...sidebar[0]?.items[1], language: 'en' },
    { path: '/docs/a/one', title: 'traduit' },
  ];
  const section = { id: 'fr/a', title: 'Français', language: 'fr', path: null, items };
  await writeManifest({
    pages: [...pages, fr],
    sidebar: [...sidebar, section],
    locales: [
      { tag: 'en', root: '/docs' },
      { tag: 'fr', root: '/docs/fr' },
      { tag: 'fa', label: 'FA', root: '/docs/fa' },
    ],
    search: { ...SEARCH, languages: { fr: 'search/core.00000001.bin' } },
  });
  await run();
  expect(JSON.parse(await output('search.json'))).toEqual({
    index: '/assets/search/core.00000000.bin',
    languages: { fr: '/assets/search/core.00000001.bin' },
  });
  const html = await output('docs/fr/a/one/index.html');
  expect(html).toContain('<html lang="fr">');
  expect(html).toContain('"inLanguage":"fr"');
  expect(html).toContain('.languages{}');
  const alternates = [
    ['fr', '/docs/fr/a/one'],
    ['en', '/docs/a/one'],
  ].map(
    ([tag, path]) => `<link rel="alternate" hreflang="${tag}" href="https://docs.example${path}">`,
  );
  expect(html).toContain(alternates.join(''));
  const links = (document: string) =>
    [...document.matchAll(/<a href="([^"]*)" lang="(\w+)"/g)].slice(0, 3).map(([, href]) => href);
  // A language without pages starts where the site does.
  expect(links(html)).toEqual(['/docs/a/one', '/docs/fr/a/one', '/docs']);
  const [nav] = /<nav[^>]*data-menu.*?<\/nav>/.exec(html) ?? [''];
  expect(nav).toContain('Français');
  expect(nav).toContain('<a href="/docs/a/two" lang="en" hrefLang="en">a two</a>');
  expect(nav).toContain('<a href="/docs/a/one" hrefLang="en">traduit</a>');
  expect(nav).not.toContain('>a</a>');

  const english = await output('docs/a/two/index.html');
  expect(english).toContain('<html lang="en">');
  expect(english).not.toContain('rel="alternate" hreflang');
  expect(english).not.toContain('Français</a></li></ul></nav>');
  expect(links(english)).toEqual(['/docs/a/two', '/docs/fr/a/one', '/docs']);
  const data = async (path: string) => JSON.parse(await output(`fragments/pages${path}.json`));
  expect((await data('/docs/fr/a/one')).translations).toEqual([{ tag: 'en', path: '/docs/a/one' }]);
  expect(await data('/docs/a/two')).not.toHaveProperty('translations');
});

test('a page is made anew when it is translated, and a language starts in its folder', async () => {
  const { sidebar, pages } = await writeInput(0);
  // Its own page is in no list.
  const path = '/docs/fr/a/two';
  const fr = { path, title: 'deux', section: '', data: 'pages/docs/fr/a/two.json' };
  const content = { ...fr, section: { id: '', title: '' }, html: '<p>x</p>', toc: [] };
  await write(`in/${fr.data}`, JSON.stringify({ ...content, description: 'd' }));
  const locales = [
    { tag: 'en', root: '/docs/a' },
    { tag: 'fr', root: '/docs/fr/a' },
  ];
  const keys = async (all: object[]) => {
    await writeManifest({ sidebar, pages: all, locales });
    const asked = new Map<string, string>();
    await run(null, (files, key) => {
      asked.set(files.at(-1) ?? '', key);
      return false;
    });
    return (name: string) => asked.get(`docs/a/${name}/index.html`);
  };
  const before = await keys(pages);
  const after = await keys([...pages, fr]);
  expect(after('one')).toBe(before('one'));
  expect(after('two')).not.toBe(before('two'));
  const html = await output('docs/fr/a/two/index.html');
  expect(html).toContain('<a href="/docs/a/two" lang="en" hrefLang="en">English</a>');
  const one = await output('docs/a/one/index.html');
  expect(one).toContain('<a href="/docs/a/one">Home</a>');
});

test('the start of each language names the feed of its changes', async () => {
  const { pages, sidebar } = await writeInput(1);
  const path = '/docs/fr';
  const fr = { path, title: 'Début', section: '', data: 'pages/docs/fr.json' };
  const content = { ...fr, section: { id: '', title: '' }, html: '<p>x</p>', toc: [] };
  await write(`in/${fr.data}`, JSON.stringify({ ...content, description: 'd' }));
  const locales = [
    { tag: 'en', root: '/docs' },
    { tag: 'fr', root: path },
  ];
  const rootFiles = ['feed.xml', 'docs/fr/feed.xml'];
  for (const file of rootFiles) await write(`in/root/${file}`, '<rss/>');
  await writeManifest({ sidebar, pages: [...pages, fr], locales, root_files: rootFiles });
  await run();
  const feedOf = async (page: string) =>
    /type="application\/rss\+xml" title="Changes" href="([^"]*)"/.exec(await output(page))?.[1];
  expect(await feedOf('index.html')).toBe('/feed.xml');
  expect(await feedOf('docs/fr/index.html')).toBe('/docs/fr/feed.xml');
  expect(await feedOf('docs/a/one/index.html')).toBeUndefined();
});

test('the words around a page are those of its language, in a file of their own', async () => {
  const { pages, sidebar } = await writeInput(2);
  const path = '/docs/fr/one';
  const fr = { path, title: 'un', section: '', data: 'pages/docs/fr/one.json' };
  const content = { ...fr, section: { id: '', title: '' }, html: '<p>x</p>', toc: [] };
  await write(`in/${fr.data}`, JSON.stringify({ ...content, description: 'd' }));
  const french = { Home: 'Accueil', 'Page not found': 'Introuvable', Close: 'Fermer' };
  const locales = [
    { tag: 'en', root: '/docs', index_page: '/docs/a-z' },
    { tag: 'fr', root: '/docs/fr', index_page: '/docs/fr/a-z' },
  ];
  const footer = { text: null, links: [{ label: 'All pages, A to Z', to: '/docs/a-z' }] };
  const build = async (words: object) => {
    await writeManifest({ sidebar, pages: [...pages, fr], locales, footer, words });
    await run();
    const [page, english, missing, missingInFrench, offlineInFrench] = await Promise.all(
      [
        'docs/fr/one/index.html',
        'docs/a/one/index.html',
        '404.html',
        'docs/fr/404.html',
        'docs/fr/offline.html',
      ].map(output),
    );
    return {
      page: page ?? '',
      english: english ?? '',
      missing: missing ?? '',
      inFrench: [missingInFrench ?? '', offlineInFrench ?? ''],
    };
  };
  const first = await build({ fr: { ...french, 'All pages, A to Z': 'Tout' } });
  const file = /data-words="\/(assets\/words-fr-[^"]*\.json)"/.exec(first.page)?.[1] ?? '';
  expect(JSON.parse(await output(file))).toEqual({ ...french, 'All pages, A to Z': 'Tout' });
  expect(first.page).toContain('>Accueil</a>');
  expect(first.page).toContain('<a href="/docs/fr/a-z">Tout</a>');
  expect(first.page).toContain('&quot;close&quot;:&quot;Fermer&quot;');
  for (const html of [first.english, first.missing]) expect(html).not.toContain('data-words');
  expect(first.english).toContain('<a href="/docs/a-z">All pages, A to Z</a>');
  expect(first.missing).toContain('<title>Page not found · ');
  for (const html of first.inFrench) {
    expect(html).toContain('<html lang="fr">');
    expect(html).toContain('data-path="/docs/fr/"');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).toContain('<a href="/docs/fr/a-z">Tout</a>');
  }
  expect(first.inFrench[0]).toContain('<title>Introuvable · ');

  const second = await build({ en: french, fr: { Home: 'Maison' } });
  expect(second.page).toContain('>Maison</a>');
  expect(second.english).toContain('>Accueil</a>');
  expect(second.missing).toContain('<title>Introuvable · ');
});

test('what stands around a page is that of its language', async () => {
  const { pages, sidebar } = await writeInput(2);
  const path = '/docs/fr/one';
  const fr = { path, title: 'un', section: '', data: 'pages/docs/fr/one.json' };
  const content = { ...fr, section: { id: '', title: '' }, html: '<p>x</p>', toc: [] };
  await write(`in/${fr.data}`, JSON.stringify({ ...content, description: 'd' }));
  const locales = [
    { tag: 'en', root: '/docs', index_page: null },
    { tag: 'fr', root: '/docs/fr', index_page: null },
  ];
  const around = {
    site: { title: 'Handbook', language: 'en' },
    navbar: [{ type: 'link', label: 'Guide', to: '/docs/a/one' }],
    footer: { text: 'Free to use', links: [] },
    announcement: { id: 'one', text: 'Version one', href: null },
  };
  const build = async (in_languages: object) => {
    await writeManifest({ sidebar, pages: [...pages, fr], locales, ...around, in_languages });
    await run();
    const files = ['docs/a/one', 'docs/fr/one'].map((page) => output(`${page}/index.html`));
    return (await Promise.all(files)).map((html) => html ?? '');
  };
  const own = {
    title: 'Manuel',
    navbar: [{ type: 'link', label: 'Le guide', to: path }],
    footer: { text: 'Libre d’usage', links: [] },
    announcement: { id: 'one', text: 'Version un', href: null },
  };
  const [english, french] = await build({ fr: own });
  const inEnglish = ['· Handbook</title>', '>Guide</a>', 'Free to use', 'Version one'];
  const inFrench = ['· Manuel</title>', '>Le guide</a>', 'Libre d’usage', 'Version un'];
  for (const text of inEnglish) {
    expect(english).toContain(text);
    expect(french).not.toContain(text);
  }
  for (const text of inFrench) {
    expect(french).toContain(text);
    expect(english).not.toContain(text);
  }
  // What a language has not is as in the first.
  const [, named] = await build({ fr: { title: 'Manuel' } });
  expect(named).toContain('· Manuel</title>');
  for (const text of inEnglish.slice(1)) expect(named).toContain(text);
  const [, same] = await build({});
  expect(same).toContain('· Handbook</title>');
});

test('a page that is read from the right says so', async () => {
  await writeInput(0, { site: { title: 'Docs', language: 'ar' }, locales: null });
  await run();
  const html = await output('docs/a/one/index.html');
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html).toContain('.languages{}');
  expect(html).not.toContain('hrefLang="en"');
});

test.each([
  ['is missing', (file: string) => rm(file), /v0\.00000000\.bin is not there; .* says 5 bytes/],
  [
    'is cut off',
    (file: string) => writeFile(file, 'byt'),
    /v0\.00000000\.bin has 3 bytes; .* says 5 bytes/,
  ],
])('a file of the index that %s ends the build', async (_, change, message) => {
  await writeInput(0);
  await change(join(root, 'in/search/v0.00000000.bin'));
  await expect(run()).rejects.toThrow(message);
});

test('an index without its core ends the build', async () => {
  await writeInput(0, { search: { ...SEARCH, files: INDEX.slice(1) } });
  await expect(run()).rejects.toThrow('does not list the core core.00000000.bin');
});

test('an input of another shape is refused with its place', async () => {
  await writeInput(0, { sidebar: [{ id: 'a' }] });
  await expect(run()).rejects.toThrow(/manifest\.json\.sidebar\[0\]\.title: expected a string/);
});
