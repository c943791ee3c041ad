// Writes sw.js: the worker, with the list of what the build consists of. Synchronously: small files cost several times as much by way
// of Node's thread pool, and nothing else waits here.
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';

/**
 * Above this, pages are stored as they are visited instead of all at once. Packed they are a tenth to a twentieth of it:
 * 142 pages of a reference of commands, 7.5 MB, are 413 kB as brotli.
 */
const STORED_PAGES_LIMIT = 12_000_000;
/** Above this, the files of the index are stored as searches use them. */
const STORED_INDEX_LIMIT = 6_000_000;

/**
 * What has nothing to do without a network: the API's console, the count of page views, help with an address that the site was
 * not built for.
 */
const NEVER_STORED = /^assets\/(api\/|(api|analytics|wrong-base)-)/;
/** What a page without a network needs at least: the rest of its code is an improvement. */
const SHELL = /^assets\/(boot|later|client)-[^/]*\.(js|css)$/;
const SHELL_FILES = ['favicon.svg', 'manifest.webmanifest'];

/** In the worker's code it stands for the list of files. */
const LIST = 'self.__WB_MANIFEST';

/**
 * @typedef {object} SiteFiles
 * @property {() => string[]} names sorted
 * @property {(name: string) => string} path where it is now
 */

/** @typedef {import('../src/app/output').Files & SiteFiles} NewSite */

/**
 * Of the files whose names change with what they hold.
 * @typedef {Map<string, { integrity: string, bytes: number }>} Integrities
 */

/**
 * @param {string} code the worker
 * @param {import('../src/app/prerender').PrerenderReport} report
 * @param {object} build
 * @param {NewSite} build.site
 * @param {boolean} build.arePagesPacked otherwise they are stored as they are visited
 * @param {Integrities} build.integrities those that are known, which become more
 */
export function writeServiceWorker(
  code,
  { base, searchFiles, offlinePages, missingPages },
  { site, arePagesPacked, integrities },
) {
  const files = site.names();
  const pages = arePagesPacked ? packPages(base, [...pagesOf(files), ...missingPages], site) : null;
  const index = searchFiles.filter(({ isOffline }) => isOffline);
  const isSmallIndex = index.reduce((sum, { bytes }) => sum + bytes, 0) <= STORED_INDEX_LIMIT;
  const assets = files.filter((file) => file.startsWith('assets/'));
  const shell = [
    ...assets.filter((file) => SHELL.test(file) && !isApplication(file)),
    ...SHELL_FILES.filter((file) => files.includes(file)),
    ...offlinePages,
  ];
  const rest = [
    'search.json',
    ...assets.filter(
      (file) =>
        !file.startsWith('assets/search/') && !NEVER_STORED.test(file) && !shell.includes(file),
    ),
    ...(isSmallIndex ? index.map(({ file }) => file) : []),
    ...(pages ? [pages.file] : []),
  ];
  const stored = [...shell, ...rest];
  const entries = stored.map((file) => entryOf(site, base, file, integrities));
  const restBytes = entries.slice(shell.length).reduce((sum, { bytes }) => sum + bytes, 0);
  /** @type {import('../src/service-worker/build').Build} */
  const described = {
    version: versionOf(code, entries),
    shell: shell.map((file) => base + file),
    pages: pages && base + pages.file,
    offline: offlinePages.map((file) => base + file),
    missing: missingPages.map((file) => base + file),
    bytes: (pages?.bytes ?? 0) + restBytes,
  };
  const listed = entries.map(({ bytes: _, ...entry }) => entry);
  const worker = code.replace(LIST, () => JSON.stringify(listed));
  if (worker === code) throw new Error(`the service worker has no ${LIST}`);
  writeFileSync(site.place('sw.js'), `self.siftwrenBuild=${JSON.stringify(described)};\n${worker}`);
}

/**
 * A file as Workbox's precaching lists it, and how large it is.
 * @param {NewSite} site
 * @param {string} base
 * @param {string} file
 * @param {Integrities} integrities
 */
function entryOf(site, base, file, integrities) {
  const url = base + file;
  // The name of what is below `assets` carries a hash of the content.
  if (file.startsWith('assets/')) {
    let known = integrities.get(file);
    if (!known) {
      const content = readFileSync(site.path(file));
      known = { integrity: integrityOf(content), bytes: content.length };
      integrities.set(file, known);
    }
    return { url, revision: null, ...known };
  }
  const content = readFileSync(site.path(file));
  const revision = digest(content, 'base64url').slice(0, 10);
  return { url, revision, integrity: integrityOf(content), bytes: content.length };
}

/** What arrives damaged is not stored. @param {Uint8Array} content */
function integrityOf(content) {
  return `sha256-${digest(content, 'base64')}`;
}

/**
 * Of the worker's code and of all that it stores.
 * @param {string} code
 * @param {{ url: string, integrity: string }[]} entries
 */
function versionOf(code, entries) {
  const files = entries.flatMap(({ url, integrity }) => [url, integrity]);
  return digest([code, ...files].join('\0'), 'base64url').slice(0, 10);
}

/** React comes with the site: a page is complete without it. @param {string} file */
function isApplication(file) {
  return /^assets\/client-[^/]*\.js$/.test(file);
}

/** @param {string[]} files */
function pagesOf(files) {
  return files.filter((file) => /(^|\/)index\.html$/.test(file));
}

/**
 * All pages with their data in one file, which compresses far better than many. None for a site
 * with too many.
 * @param {string} base
 * @param {string[]} documents
 * @param {NewSite} site
 */
function packPages(base, documents, site) {
  const names = new Set(site.names());
  const bytes = bytesOf(site, documents);
  if (bytes === null) return null;
  /** @type {import('../src/service-worker/build').PackedPage[]} */
  const packed = [];
  /** @type {Map<string, number>} */
  const styles = new Map();
  for (const file of documents) {
    const path = file.replace(/\/?index\.html$/, '');
    const dataFile = `fragments/pages/${path || 'index'}.json`;
    const document = withoutStyles(readFileSync(site.path(file), 'utf8'), styles);
    const hasData = names.has(dataFile);
    const { html, ...data } = hasData ? JSON.parse(readFileSync(site.path(dataFile), 'utf8')) : {};
    // What the data repeats of the page is not stored twice.
    const start = typeof html === 'string' ? document.indexOf(html) : -1;
    packed.push({
      url: base + path,
      dataUrl: hasData ? base + dataFile : null,
      document,
      data: start === -1 && html !== undefined ? { ...data, html } : data,
      html: start === -1 ? null : [start, start + html.length],
    });
  }
  const content = JSON.stringify({ styles: [...styles.keys()], pages: packed });
  const file = `assets/offline-${digest(content, 'base64url').slice(0, 10)}.json`;
  if (!site.take([file], file)) writeFileSync(site.place(file), content);
  return { file, bytes };
}

/**
 * Many pages carry the same styles: they are stored once, and a number stands in their place.
 * @param {string} document
 * @param {Map<string, number>} styles
 */
function withoutStyles(document, styles) {
  const end = document.indexOf('</head>');
  const head = document.slice(0, end).replace(/<style>([^<]*)</g, (_, style) => {
    styles.set(style, styles.get(style) ?? styles.size);
    return `<style>${styles.get(style)}<`;
  });
  return head + document.slice(end);
}

/**
 * How large pages are together; nothing where that is too much, so that most of a large site is not asked for.
 * @param {NewSite} site
 * @param {string[]} files
 */
function bytesOf(site, files) {
  let sum = 0;
  for (const file of files) {
    sum += statSync(site.path(file)).size;
    if (sum > STORED_PAGES_LIMIT) return null;
  }
  return sum;
}

/** @param {string | Uint8Array} content @param {'base64' | 'base64url'} encoding */
function digest(content, encoding) {
  return createHash('sha256').update(content).digest(encoding);
}
