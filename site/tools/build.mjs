// Builds the site: the browser's code (from bundles.mjs), every page as HTML, and the service worker.
//
//   SIFTWREN_PAGES           the indexer's output (required)
//   SIFTWREN_DIST            the folder to write (required; replaced once everything has worked)
//   SIFTWREN_WASM            the package of wasm-core (default: ../wasm-core/pkg)
//   SIFTWREN_SEARCH_KEY      the public key, which may only search
//   SIFTWREN_SERVICE_WORKER  "off" publishes a worker that removes all earlier ones
import { copyFile, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { injectManifest } from 'workbox-build';
import { copyBundles, currentBundles, prerenderCode, serviceWorkerCode } from './bundles.mjs';

const site = join(dirname(fileURLToPath(import.meta.url)), '..');

class UsageError extends Error {}

/** Above this, pages are stored as they are visited instead of all at once. */
const STORED_PAGES_LIMIT = 6_000_000;
/** Above this, the files of the index are stored as searches use them. */
const STORED_INDEX_LIMIT = 6_000_000;

try {
  await main();
} catch (error) {
  const isExplained =
    error instanceof UsageError || (error instanceof Error && error.name === 'DecodeError');
  console.error(isExplained ? `error: ${error.message}` : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function main() {
  const pages = required('SIFTWREN_PAGES', "the indexer's output folder");
  const target = required('SIFTWREN_DIST', 'the folder to write the site to');
  const dist = `${target.replace(/[/\\]+$/, '')}.partial`;
  const wasm = process.env.SIFTWREN_WASM ?? join(site, '../wasm-core/pkg');
  process.env.SIFTWREN_WASM = wasm;
  await mustExist(join(pages, 'manifest.json'), 'SIFTWREN_PAGES');
  await mustExist(join(wasm, 'wasm_core_bg.wasm'), 'SIFTWREN_WASM');
  const hasServiceWorker = process.env.SIFTWREN_SERVICE_WORKER !== 'off';

  await rm(dist, { recursive: true, force: true });
  const scratch = await mkdtemp(join(site, 'node_modules/.siftwren-'));
  try {
    const bundles = await step('code', async () => {
      const current = currentBundles(wasm);
      copyBundles(current, dist);
      return current;
    });
    const { prerender } = await prerenderCode(bundles);
    const report = await step('pages', () =>
      prerender({
        pages,
        dist,
        wasm,
        searchKey: process.env.SIFTWREN_SEARCH_KEY || null,
        hasServiceWorker,
        assets: bundles.assets,
      }),
    );
    await step('service worker', () =>
      hasServiceWorker
        ? buildServiceWorker(dist, scratch, bundles, report)
        : copyFile(join(site, 'src/service-worker/killSwitch.js'), join(dist, 'sw.js')),
    );
    await rm(target, { recursive: true, force: true });
    await rename(dist, target);
    if (report.searchProblem) console.warn(`warning: ${report.searchProblem}`);
    console.log(`${report.pages} pages, build ${report.build}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await rm(dist, { recursive: true, force: true });
  }
}

/**
 * @param {string} dist
 * @param {string} scratch
 * @param {import('./bundles.mjs').Bundles} bundles
 * @param {import('../src/app/prerender').PrerenderReport} report
 */
async function buildServiceWorker(dist, scratch, bundles, { build, base, searchFiles }) {
  const source = join(scratch, 'sw.js');
  await writeFile(source, serviceWorkerCode(bundles, build));

  const pageFiles = ['**/index.html', 'fragments/**/*.json'];
  const isSmall = (await bytesOf(dist, /(^|\/)index\.html$|^fragments\//)) <= STORED_PAGES_LIMIT;
  const index = searchFiles.filter(({ isOffline }) => isOffline);
  const isSmallIndex = index.reduce((sum, { bytes }) => sum + bytes, 0) <= STORED_INDEX_LIMIT;
  const { warnings } = await injectManifest({
    swSrc: source,
    swDest: join(dist, 'sw.js'),
    globDirectory: dist,
    globPatterns: [
      'assets/**/*',
      'offline.html',
      'favicon.svg',
      'manifest.webmanifest',
      ...(isSmall ? pageFiles : []),
    ],
    // What a search without a network needs is added below.
    globIgnores: ['assets/search/**'],
    additionalManifestEntries: isSmallIndex
      ? index.map(({ file }) => ({ url: base + file, revision: null }))
      : [],
    // Their names carry a hash of their content.
    dontCacheBustURLsMatching: /^assets\//,
    maximumFileSizeToCacheInBytes: 8_000_000,
    manifestTransforms: [
      (entries) => ({
        manifest: entries.map((entry) => ({ ...entry, url: base + pageUrl(entry.url) })),
        warnings: [],
      }),
    ],
  });
  for (const warning of warnings) console.warn(`warning: ${warning}`);
}

/** Pages are stored under the address at which they are read. @param {string} file */
function pageUrl(file) {
  return file === 'index.html' ? '' : file.replace(/\/index\.html$/, '');
}

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 */
async function step(name, work) {
  const start = performance.now();
  const result = await work();
  console.log(`${name.padEnd(16)} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

/** @param {string} variable @param {string} meaning */
function required(variable, meaning) {
  const value = process.env[variable];
  if (!value) throw new UsageError(`${variable} is not set: it names ${meaning}`);
  return value;
}

/** @param {string} file @param {string} variable */
async function mustExist(file, variable) {
  const found = await stat(file).catch(() => null);
  if (!found) throw new UsageError(`${file} does not exist: check ${variable}`);
}

/** @param {string} folder @param {RegExp} pattern */
async function bytesOf(folder, pattern) {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && pattern.test(relative(folder, file).replaceAll('\\', '/'))) {
      bytes += (await stat(file)).size;
    }
  }
  return bytes;
}
