/**
 * Turns the indexer's output into the files of the site, by rendering the application once a page.
 * Runs in Node, at the end of the build; `tools/build.mjs` calls it between bundling the browser's
 * code and bundling the service worker.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anywhereIn } from '../shared/content/locales';
import { type Manifest, type ManifestPage, pageData } from '../shared/content/manifest';
import type { Favicon, Page, SiteData } from '../shared/content/model';
import type { Decoder } from '../shared/lib/decode';
import { hrefOf } from '../shared/lib/paths';
import type { ComponentPage } from './componentPage';
import { exampleAnswer } from './exampleAnswer';
import { letterFavicon } from './favicon';
import { headersFile } from './headers';
import { copyIndex, type IndexFile } from './indexFiles';
import { ManifestReader } from './manifestReader';
import { type Files, fileBelow, filesOf, Output } from './output';
import { PageWriter, pageFiles } from './pageWriter';
import { type BundledCode, type DescribedSite, describeSite, translationsOf } from './siteData';
import { wrongBaseHelp } from './wrongBase';

export interface PrerenderOptions extends BundledCode {
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

export interface PrerenderReport {
  base: string;
  pages: number;
  /** Of the pages, how many could not be taken over from the last build. */
  rendered: number;
  /** Why there is no search, where there is none. */
  searchProblem: string | null;
  searchFiles: IndexFile[];
  /** What stands in for pages that are not stored: that of the site, and those of the folders of languages. */
  offlinePages: string[];
  /** What stands in for pages that do not exist, in the same order. */
  missingPages: string[];
}

export async function prerender(options: PrerenderOptions): Promise<PrerenderReport> {
  const files = new Output(options);
  const memory = options.memory ?? new Memory();
  const manifest = memory.manifest.read(join(options.pages, 'manifest.json'));
  const paths = new Set(manifest.pages.map(({ path }) => path));
  const searchFiles = copyIndex(manifest, options.pages, files);
  const described = await describeSite(manifest, paths, options, files);
  const { site } = described;
  const writer = new PageWriter({
    ...options,
    described,
    feeds: (manifest.root_files ?? []).filter((file) => /(?:^|\/)feed\.xml$/.test(file)),
    files,
  });
  const digests = manifest.digests ?? [];
  const positions = memory.positions(manifest.digest_names ?? NONE);
  /** What a file of the indexer's output holds, in a few letters. */
  const contentOf = (name: string) =>
    digests[positions.get(name) ?? -1] ?? files.digestOf(join(options.pages, name));

  const step: Step = { options, manifest, paths, contentOf, files, site, writer };
  const rendered = await writePages(step, memory.made(manifest.pages));
  await writeComponentPages(step);
  await writeHomePages(step);
  copyFiles(step);
  const notices = await writeNotices(step);
  await writeForHosts(step, described);
  return {
    base: site.base,
    pages: manifest.pages.length,
    rendered,
    searchProblem: described.problem,
    searchFiles,
    ...notices,
  };
}

/** What the steps work with. */
interface Step {
  options: PrerenderOptions;
  manifest: Manifest;
  paths: ReadonlySet<string>;
  contentOf(name: string): string;
  files: Output;
  site: SiteData;
  writer: PageWriter;
}

/** The pages of the indexer. Returns how many were not taken over; `lastMade` is what the last build knew of each, and then this one. */
async function writePages(
  { options, manifest, paths, contentOf, files, site, writer }: Step,
  lastMade: PageMemory[],
): Promise<number> {
  const { shared } = writer;
  /** The files of a page, and the key of all that they are made from. */
  function madeOf(entry: ManifestPage, position: number): PageMemory {
    const content = contentOf(entry.data);
    const known = lastMade[position];
    if (known?.content === content && known.shared === shared) return known;
    const translations = translationsOf(entry.path, site.locales, paths);
    const made: PageMemory = {
      files: known?.files ?? [...pageFiles(entry.path), entry.markdown ?? []].flat(),
      shared,
      content,
      key: writer.keyOf([entry, content, translations]),
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
    await writer.writePage(
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
        translations: translationsOf(data.path, site.locales, paths),
      },
      // Search engines are not to know what no list has.
      entry.unlisted ? null : data.path,
      entry,
    );
    if (entry.markdown !== null) {
      if (data.markdown === null) throw new Error(`${entry.data}: the page has no Markdown.`);
      await files.write(entry.markdown, data.markdown);
    }
  }
  return rendered;
}

async function writeComponentPages({ options, manifest, writer }: Step): Promise<void> {
  for (const { path, title, description, html } of options.components ?? []) {
    const section = { id: '', title: '' };
    const nothing = { toc: [], previous: null, next: null, editUrl: null, lastChange: null };
    await writer.writeUnlessTaken(
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
}

/** The start page, where the content has none. */
async function writeHomePages({ options, manifest, paths, site, writer }: Step): Promise<void> {
  const { homePath, ways } = site;
  const homes = [...new Set([homePath, '/'])].filter((path) => !paths.has(path));
  const isExampleShown = homes.length > 0 && ways.length > 0;
  const example = isExampleShown ? await exampleAnswer(options, manifest, paths) : null;
  for (const path of homes) {
    const beside = { card: manifest.card, markdown: null };
    await writer.writeUnlessTaken({ kind: 'home', path, example }, homePath, beside);
  }
}

/** What the indexer made as it is to be. */
function copyFiles({ options, manifest, contentOf, files }: Step): void {
  for (const name of ['assets', 'cards'].flatMap((folder) => filesOf(options.pages, folder))) {
    files.copy(name, name, contentOf(name));
  }
  for (const file of manifest.root_files ?? []) {
    const name = `root/${file}`;
    files.copy(name, file, contentOf(name));
  }
}

/** The pages that stand in for others, of each language. */
async function writeNotices({
  files,
  site,
  writer,
}: Step): Promise<Pick<PrerenderReport, 'missingPages' | 'offlinePages'>> {
  const missingPages: string[] = [];
  const offlinePages: string[] = [];
  // Hosts that have one page for all wrong addresses have that of the first language.
  for (const path of ['', ...site.locales.slice(1).map(anywhereIn)]) {
    const [missing, offline] = [fileBelow(path, '404.html'), fileBelow(path, 'offline.html')];
    const notices: [string, Page][] = [
      [missing, { kind: 'not-found', path, near: null }],
      [offline, { kind: 'offline', path }],
    ];
    for (const [file, page] of notices) {
      if (!files.take([file], writer.keyOf(page))) await writer.writeDocument(file, page, null);
    }
    missingPages.push(missing);
    offlinePages.push(offline);
  }
  return { missingPages, offlinePages };
}

/** What hosts and browsers want beside pages. */
async function writeForHosts(
  { options, manifest, files, site }: Step,
  { icon, endpoint }: DescribedSite,
): Promise<void> {
  const { assets, inline } = options;
  await files.write(
    '_headers',
    headersFile(site.base, {
      search: site.search,
      analytics: endpoint,
      servers: (manifest.api ?? []).map(({ server }) => server),
      imageOrigins: manifest.image_origins ?? [],
      inline: {
        scripts: [inline.first, inline.plainAddress],
        styles: Object.values(inline.styles),
      },
    }),
  );
  await files.write('base.html', wrongBaseHelp(site.base, assets.wrongBase, icon));
  if (manifest.favicon === null) await files.write(icon.src, letterFavicon(site.title));
  await files.write('manifest.webmanifest', webManifest(site, icon));
}

/** No names; the same list each time. */
const NONE: string[] = [];

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

async function readJson<T>(file: string, decoder: Decoder<T>): Promise<T> {
  return decoder(JSON.parse(readFileSync(file, 'utf8')), file);
}
