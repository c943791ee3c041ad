/**
 * Turns the indexer's output into the files of the site, by rendering the application once a page.
 * Runs in Node, at the end of the build; `tools/build.mjs` calls it between bundling the browser's
 * code and bundling the service worker.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { waysInto } from '../features/home/ways';
import { searchProblem } from '../features/search/searchProblem';
import { anywhereIn, inLanguage, localeOf } from '../shared/content/locales';
import { type Manifest, type ManifestPage, pageData } from '../shared/content/manifest';
import type {
  DocPage,
  Favicon,
  HomePage,
  Locale,
  Page,
  PageView,
  SearchConfig,
  SectionNav,
  SiteData,
  Translation,
} from '../shared/content/model';
import { SiteContext } from '../shared/content/SiteContext';
import { firstPath } from '../shared/content/sections';
import { tocOf } from '../shared/content/tocOf';
import { sayIn } from '../shared/content/words';
import type { Decoder } from '../shared/lib/decode';
import { basenameOf, fragmentFile, hrefOf, htmlFile } from '../shared/lib/paths';
import type { ComponentPage } from './componentPage';
import { documentHtml } from './documentHtml';
import { documentTags } from './documentTags';
import { documentTitle } from './documentTitle';
import { exampleAnswer } from './exampleAnswer';
import { letterFavicon } from './favicon';
import { headersFile } from './headers';
import { ManifestReader } from './manifestReader';
import { createRoutes } from './routes';
import { partsOf, type StylePart } from './styleParts';
import { wrongBaseHelp } from './wrongBase';

export interface PrerenderOptions {
  /** The indexer's output. */
  pages: string;
  /** The package of wasm-core. */
  wasm: string;
  searchKey: string | null;
  hasServiceWorker: boolean;
  files: Files;
  /** Of what a file holds that the indexer's manifest has no digest of. */
  digestOf?: (file: string) => string;
  /** The pages that are components, rendered. */
  components?: ComponentPage[];
  /** Hashed file names below the site's folder. */
  assets: { boot: string; sheet: string; analytics: string; wrongBase: string; wasm: string };
  /** What stands in pages: the script that runs first, that of the page for wrong addresses, and the parts of their styles. */
  inline: { first: string; plainAddress: string; styles: Record<StylePart, string> };
  /** Where builds follow each other. */
  memory?: Memory;
}

/** What a build leaves to the next one of the same process. It changes nothing of what a build gives. */
export class Memory {
  readonly manifest = new ManifestReader();
  #listed: ManifestPage[] | null = null;
  #made: PageMemory[] = [];
  #digested: string[] | null = null;
  #positions: ReadonlyMap<string, number> = new Map();

  /** Of each page its files and their key, where they were made from the same list of pages. */
  made(listed: ManifestPage[]): PageMemory[] {
    if (listed !== this.#listed) this.#made = [];
    this.#listed = listed;
    return this.#made;
  }

  /** Where each name stands in a list. */
  positions(names: string[]): ReadonlyMap<string, number> {
    if (names !== this.#digested) {
      this.#positions = new Map(names.map((name, position) => [name, position]));
    }
    this.#digested = names;
    return this.#positions;
  }
}

interface PageMemory {
  files: string[];
  /** What the key was made of, beside the entry of the page. */
  shared: string;
  content: string;
  key: string;
}

/** The files of the new site, by their names below its folder; see `tools/earlierBuild.mjs` and `tools/standingSite.mjs`. */
export interface Files {
  /** Takes over files that were made from the same as now, all or none; the answer is whether it did. */
  take(files: string[], key: string): boolean;
  /** Where to write one that is made. */
  place(file: string): string;
  /** Makes it of a file that is there. */
  bring(source: string, file: string): void;
}

export interface PrerenderReport {
  base: string;
  pages: number;
  /** Of the pages, how many could not be taken over from the last build. */
  rendered: number;
  /** Why there is no search, where there is none. */
  searchProblem: string | null;
  /** The files of the index below the site's folder, and which of them a search without a network needs. */
  searchFiles: { file: string; bytes: number; isOffline: boolean }[];
  /** What stands in for pages that are not stored: that of the site, and those of the folders of languages. */
  offlinePages: string[];
}

export async function prerender(options: PrerenderOptions): Promise<PrerenderReport> {
  const files = new Output(options);
  const memory = options.memory ?? new Memory();
  const manifest = memory.manifest.read(join(options.pages, 'manifest.json'));
  const base = normalBase(manifest.site.base);
  const endpoint = manifest.analytics?.endpoint ?? null;
  const paths = new Set(manifest.pages.map(({ path }) => path));
  const ways = waysInto(paths, manifest.content.route_prefix);
  const homePath = manifest.content.route_prefix || '/';

  const listed = new Map<string, number>();
  for (const { section, unlisted } of manifest.pages) {
    if (!unlisted) listed.set(section, (listed.get(section) ?? 0) + 1);
  }
  const navs = new Map<string, SectionNav>();
  const sections: SiteData['sections'] = [];
  for (const { id, title, language, path, items } of manifest.sidebar) {
    const target = path ?? items.map(firstPath).find((found) => found !== null) ?? null;
    if (target === null) continue;
    const nav: SectionNav = { id, items };
    navs.set(id, nav);
    sections.push({
      id,
      title,
      language,
      path: target,
      nav: await files.hashed(`assets/nav-${slug(id)}`, 'json', JSON.stringify(nav)),
      pages: listed.get(id) ?? 0,
    });
  }

  const locales = localesOf(manifest, paths, sections, homePath);
  const said = manifest.words ?? {};
  for (const locale of locales) {
    const words = said[locale.tag];
    if (!words) continue;
    const stem = `assets/words-${locale.tag.toLowerCase()}`;
    locale.words = await files.hashed(stem, 'json', JSON.stringify(words));
  }
  /** Where a page is in the other languages. */
  const translationsOf = (path: string): Translation[] => {
    const own = localeOf(locales, path);
    const below = path.slice(own.root.length).replace(/^\/$/, '');
    return locales
      .filter((locale) => locale !== own)
      .map(({ tag, root }) => ({ tag, path: root + below || '/' }))
      .filter((translation) => paths.has(translation.path));
  };

  const digests = manifest.digests ?? [];
  const positions = memory.positions(manifest.digest_names ?? NONE);
  /** What a file of the indexer's output holds, in a few letters. */
  const contentOf = (name: string) =>
    digests[positions.get(name) ?? -1] ?? files.digestOf(join(options.pages, name));

  const searchFiles = copyIndex(manifest, options.pages, files);
  const search = await searchConfig(manifest, options, base, files);
  const problem = searchProblem(search);
  const content = {
    title: manifest.site.title,
    tagline: manifest.site.tagline,
    logo: manifest.logo,
    isTitleInLogo: manifest.logo !== null && (manifest.logo_has_title ?? false),
    base,
    homePath,
    navbar: manifest.navbar ?? [],
    hideNavbarOnScroll: manifest.hide_navbar_on_scroll ?? false,
    docsVersion: manifest.docs_version,
    locales,
    footer: manifest.footer,
    announcement: manifest.announcement,
    sections,
    ways,
    search: problem === null ? search : null,
  };
  const site: SiteData = {
    build: digest(JSON.stringify([content, options.assets, options.inline])),
    ...content,
  };
  const icon: Favicon = manifest.favicon ?? { src: 'favicon.svg', media_type: 'image/svg+xml' };
  const siteFile = await files.hashed('assets/site', 'json', JSON.stringify(site));

  const { url } = manifest.site;
  const feeds = (manifest.root_files ?? []).filter((file) => /(?:^|\/)feed\.xml$/.test(file));
  /** That of a language, which its start names. */
  const feedOf = (page: Page): string | null => {
    const locale = localeOf(locales, page.path);
    if (page.kind !== 'home' && page.path !== locale.start) return null;
    const file = locale === locales[0] ? 'feed.xml' : fileBelow(anywhereIn(locale), 'feed.xml');
    return feeds.includes(file) ? base + file : null;
  };
  /** The address by which other sites know a path. */
  const wholeAddress = (path: string) =>
    url === null ? null : new URL(hrefOf(base, path), url).href;

  function above(section: SiteData['sections'][number] | undefined) {
    const address = section ? wholeAddress(section.path) : null;
    return section && address !== null ? [{ name: section.title, url: address }] : [];
  }

  /** The page being rendered; one at a time, so that a large site never lies in memory whole. */
  let current: PageView | null = null;
  const handler = createStaticHandler(
    createRoutes({ load: () => Promise.resolve(current as PageView) }, base),
    { basename: basenameOf(base) },
  );

  async function writeDocument(
    file: string,
    page: Page,
    canonicalPath: string | null,
    { card, markdown }: Beside = { card: null, markdown: null },
  ): Promise<void> {
    const nav = page.kind === 'doc' ? (navs.get(page.section.id) ?? null) : null;
    const locale = localeOf(locales, page.path);
    const language = locale.tag;
    const words = said[language] ?? null;
    const own = inLanguage(site, locale);
    current = { page, nav, words };
    const request = new Request(new URL(hrefOf(base, page.path), 'http://prerender.invalid'));
    const context = await handler.query(request);
    if (context instanceof Response) throw new Error(`${page.path}: the page is a redirect.`);
    const failure = Object.values(context.errors ?? {})[0];
    if (failure) throw new Error(`${page.path}: ${String(failure)}`, { cause: failure });
    const body = renderToString(
      <SiteContext value={site}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </SiteContext>,
    );
    const link = sections.find(({ id }) => id === nav?.id);
    const translations = page.kind === 'doc' ? page.translations : [];
    await files.write(
      file,
      documentHtml({
        title: documentTitle(page, own, sayIn(words, language)),
        description: page.kind === 'doc' ? page.description || null : own.tagline,
        language,
        tags: documentTags({
          kind: page.kind === 'home' ? 'website' : 'article',
          title: page.kind === 'doc' ? page.title : own.title,
          description: page.kind === 'doc' ? page.description || null : own.tagline,
          siteName: own.title,
          language,
          canonical: canonicalPath === null ? null : wholeAddress(canonicalPath),
          image: card === null ? null : wholeAddress(card),
          languages: [{ tag: language, path: page.path }, ...translations]
            .map(({ tag, path }) => ({ tag, url: wholeAddress(path) ?? '' }))
            .filter(({ url }, _, all) => url !== '' && all.length > 1),
          above: above(link),
          lastChange: page.kind === 'doc' ? page.lastChange : null,
          markdown: markdown === null ? null : hrefOf(base, markdown),
          feed: feedOf(page),
        }),
        noIndex: canonicalPath === null,
        icon: { href: base + icon.src, type: icon.media_type },
        base,
        assets: { boot: base + options.assets.boot, sheet: base + options.assets.sheet },
        inline: {
          first: options.inline.first,
          plainAddress: options.inline.plainAddress,
          styles: partsOf(page, site).map((part) => options.inline.styles[part]),
        },
        site: base + siteFile,
        nav: link ? base + link.nav : null,
        words:
          words && locale.words !== null ? { said: words, address: base + locale.words } : null,
        worker: options.hasServiceWorker ? `${base}sw.js` : null,
        announcement: site.announcement,
        analytics: endpoint === null ? null : { script: base + options.assets.analytics, endpoint },
        hasSearch: site.search !== null,
        searchProblem: problem,
        page,
        body,
      }),
    );
  }

  async function writePage(
    page: DocPage | HomePage,
    canonicalPath: string | null,
    beside: Beside,
  ): Promise<void> {
    await files.write(
      fragmentAt(page.path),
      JSON.stringify({ ...fragmentOf(page), build: site.build }),
    );
    await writeDocument(htmlFile(page.path), page, canonicalPath, beside);
  }

  /** A page whose data is no file. */
  async function writeUnlessTaken(
    page: DocPage | HomePage,
    canonicalPath: string,
    beside: Beside,
  ): Promise<void> {
    const key = keyOf([page, canonicalPath, beside]);
    if (files.take([fragmentAt(page.path), htmlFile(page.path)], key)) return;
    await writePage(page, canonicalPath, beside);
  }

  /** What pages are made from beside their own data; the description of the site names the lists of sections. */
  const shared = JSON.stringify([
    siteFile,
    icon,
    locales,
    url,
    feeds,
    endpoint,
    problem,
    options.hasServiceWorker,
  ]);
  const keyOf = (madeFrom: unknown) => digest(`${shared}${JSON.stringify(madeFrom)}`);
  const lastMade = memory.made(manifest.pages);
  /** The files of a page, and the key of all that they are made from. */
  function madeOf(entry: ManifestPage, position: number): PageMemory {
    const content = contentOf(entry.data);
    const known = lastMade[position];
    if (known?.content === content && known.shared === shared) return known;
    const made: PageMemory = {
      files: known?.files ?? [fragmentAt(entry.path), htmlFile(entry.path)],
      shared,
      content,
      key: keyOf([entry, content, translationsOf(entry.path)]),
    };
    lastMade[position] = made;
    return made;
  }
  let rendered = 0;
  for (const [position, entry] of manifest.pages.entries()) {
    const made = madeOf(entry, position);
    if (files.take(made.files, made.key)) continue;
    rendered += 1;
    const data = await readJson(join(options.pages, entry.data), pageData);
    await writePage(
      {
        kind: 'doc',
        path: data.path,
        title: data.title,
        description: data.description ?? '',
        section: data.section,
        html: data.html,
        toc: data.toc,
        previous: data.previous,
        next: data.next,
        editUrl: data.edit_url,
        lastChange: data.last_change,
        layout: data.layout ?? 'text',
        translations: translationsOf(data.path),
      },
      // Search engines are not to know what no list has.
      entry.unlisted ? null : data.path,
      entry,
    );
  }

  for (const { path, title, description, html } of options.components ?? []) {
    const section = { id: '', title: '' };
    const nothing = { toc: [], previous: null, next: null, editUrl: null, lastChange: null };
    await writeUnlessTaken(
      {
        kind: 'doc',
        path,
        title,
        description,
        section,
        html,
        layout: 'text',
        translations: [],
        ...nothing,
      },
      path,
      { card: manifest.card, markdown: null },
    );
  }

  const homes = [...new Set([homePath, '/'])].filter((path) => !paths.has(path));
  const isExampleShown = homes.length > 0 && ways.length > 0;
  const example = isExampleShown ? await exampleAnswer(options, manifest, paths) : null;
  for (const path of homes) {
    const beside = { card: manifest.card, markdown: null };
    await writeUnlessTaken({ kind: 'home', path, example }, homePath, beside);
  }
  for (const name of ['assets', 'cards'].flatMap((folder) => filesOf(options.pages, folder))) {
    files.copy(name, name, contentOf(name));
  }
  for (const file of manifest.root_files ?? []) {
    const name = `root/${file}`;
    files.copy(name, file, contentOf(name));
  }
  const offlinePages: string[] = [];
  // Hosts that have one page for all wrong addresses have that of the first language.
  for (const path of ['', ...locales.slice(1).map(anywhereIn)]) {
    const [missing, offline] = [fileBelow(path, '404.html'), fileBelow(path, 'offline.html')];
    const notices: [string, Page][] = [
      [missing, { kind: 'not-found', path, near: null }],
      [offline, { kind: 'offline', path }],
    ];
    for (const [file, page] of notices) {
      if (!files.take([file], keyOf(page))) await writeDocument(file, page, null);
    }
    offlinePages.push(offline);
  }

  const servers = (manifest.api ?? []).map(({ server }) => server);
  await files.write(
    '_headers',
    headersFile(base, {
      search: site.search,
      analytics: endpoint,
      servers,
      imageOrigins: manifest.image_origins ?? [],
      inline: {
        scripts: [options.inline.first, options.inline.plainAddress],
        styles: Object.values(options.inline.styles),
      },
    }),
  );
  await files.write('base.html', wrongBaseHelp(base, options.assets.wrongBase, icon));
  if (manifest.favicon === null) await files.write(icon.src, letterFavicon(site.title));
  await files.write('manifest.webmanifest', webManifest(site, icon));
  return {
    base,
    pages: manifest.pages.length,
    rendered,
    searchProblem: problem,
    searchFiles,
    offlinePages,
  };
}

/** The languages of the site. A language starts at its root, or where its first section does. */
function localesOf(
  manifest: Manifest,
  paths: ReadonlySet<string>,
  sections: SiteData['sections'],
  homePath: string,
): Locale[] {
  const found = manifest.locales ?? [
    {
      tag: manifest.site.language ?? 'en',
      label: null,
      root: manifest.content.route_prefix,
      index_page: null,
    },
  ];
  return found.map(({ index_page: allPages, ...locale }, number) => {
    const section = sections.find(({ language, path }) =>
      number === 0 ? language === null : language === locale.tag && path.startsWith(locale.root),
    );
    const own = paths.has(locale.root) ? locale.root : section?.path;
    const isAtHome = number === 0 && locale.root === manifest.content.route_prefix;
    return {
      ...locale,
      start: isAtHome ? homePath : (own ?? homePath),
      allPages,
      words: null,
      own: number === 0 ? null : (manifest.in_languages?.[locale.tag] ?? null),
    };
  });
}

function fragmentAt(path: string): string {
  return `fragments/pages/${fragmentFile(path)}`;
}

function fileBelow(path: string, name: string): string {
  return path.slice(1) + name;
}

/** The data of a page, without what its text says anyway. */
function fragmentOf(page: DocPage | HomePage): object {
  if (page.kind !== 'doc') return page;
  const { toc, translations, ...rest } = page;
  return {
    ...rest,
    ...(!isDeepStrictEqual(toc, tocOf(page.html)) && { toc }),
    ...(translations.length > 0 && { translations }),
  };
}

/** What belongs to a page and stands in files of its own, below the base. */
interface Beside {
  card: string | null;
  markdown: string | null;
}

/** No names; the same list each time. */
const NONE: string[] = [];

/** Where the files of the index are: beside no page, and under names that carry their checksum. */
const SEARCH_FOLDER = 'assets/search';
/** The words, names and texts. The rest is the meaning of words and sections. */
const OFFLINE_KINDS = new Set(['core', 't', 'w', 'n', 'x']);

function copyIndex(
  manifest: Manifest,
  pages: string,
  files: Output,
): PrerenderReport['searchFiles'] {
  const { files: listed, index } = manifest.search;
  const core = basename(index);
  if (!listed.some(({ name }) => name === core)) {
    throw new Error(`manifest.json: search.files does not list the core ${core}`);
  }
  return listed.map(({ name, bytes, kind }) => {
    const file = `${SEARCH_FOLDER}/${name}`;
    // The name carries a checksum.
    if (!files.take([file], name)) {
      const source = join(pages, dirname(index), name);
      const size = statSync(source, { throwIfNoEntry: false })?.size;
      if (size !== bytes) {
        const found = size === undefined ? 'is not there' : `has ${size} bytes`;
        throw new Error(`${source} ${found}; manifest.json says ${bytes} bytes`);
      }
      files.copyNew(source, file);
    }
    return { file, bytes, isOffline: OFFLINE_KINDS.has(kind) };
  });
}

async function searchConfig(
  manifest: Manifest,
  options: PrerenderOptions,
  base: string,
  files: Output,
): Promise<SearchConfig> {
  const { mode, api_url: apiUrl, model, index, languages } = manifest.search;
  const core = (file: string) => `${base}${SEARCH_FOLDER}/${basename(file)}`;
  const elsewhere = Object.entries(languages ?? {}).map(([tag, file]) => [tag, core(file)]);
  const named = { index: core(index), languages: Object.fromEntries(elsewhere) };
  await files.write(
    'search.json',
    JSON.stringify(elsewhere.length > 0 ? named : { index: named.index }),
  );
  return {
    mode,
    apiUrl,
    model,
    key: mode === 'local' ? null : options.searchKey,
    wasmUrl: base + options.assets.wasm,
    siteRoot: base,
    languages: Object.keys(languages ?? {}),
  };
}

function webManifest(site: SiteData, icon: Favicon): string {
  return JSON.stringify({
    name: site.title,
    short_name: site.title,
    start_url: hrefOf(site.base, site.homePath),
    scope: site.base,
    display: 'minimal-ui',
    background_color: '#171310',
    theme_color: '#171310',
    icons: [{ src: site.base + icon.src, sizes: 'any', type: icon.media_type }],
  });
}

/**
 * Writes what is not taken over. Synchronously: a file of some kilobytes costs several times as much by way of Node's thread
 * pool, and nothing else waits here.
 */
class Output {
  readonly #files: Files;
  readonly #pages: string;
  readonly digestOf: (file: string) => string;
  readonly #asked = new Set<string>();

  constructor({ files, pages, digestOf }: PrerenderOptions) {
    this.#files = files;
    this.#pages = pages;
    this.digestOf = digestOf ?? ((file) => digest(readFileSync(file)));
  }

  take(files: string[], key: string): boolean {
    const areTaken = this.#files.take(files, key);
    if (!areTaken) for (const file of files) this.#asked.add(file);
    return areTaken;
  }

  async write(file: string, content: string | Uint8Array): Promise<void> {
    // What was asked for under a key of its own has to be made.
    if (!this.#asked.has(file) && this.take([file], digest(content))) return;
    writeFileSync(this.#files.place(file), content);
  }

  /** Of a file of the indexer's output; `key` stands for the content. */
  copy(source: string, file: string, key: string): void {
    if (!this.take([file], key)) this.copyNew(join(this.#pages, source), file);
  }

  copyNew(source: string, file: string): void {
    this.#files.bring(source, file);
  }

  /** Writes under a name that carries a hash of the content, and returns that name. */
  async hashed(stem: string, extension: string, content: string): Promise<string> {
    const file = `${stem}-${digest(content)}.${extension}`;
    if (!this.take([file], file)) await this.write(file, content);
    return file;
  }
}

/** The files in a folder of the indexer's output, which need not be there, by their names in that. */
function filesOf(pages: string, folder: string): string[] {
  const path = join(pages, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(pages, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

async function readJson<T>(file: string, decoder: Decoder<T>): Promise<T> {
  return decoder(JSON.parse(readFileSync(file, 'utf8')), file);
}

function digest(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 10);
}

function normalBase(base: string | null): string {
  return `/${base ?? ''}/`.replace(/\/{2,}/g, '/');
}

/** Section ids are names of folders; in a file name only the plain characters stay. */
function slug(id: string): string {
  return id.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase() || 'root';
}
