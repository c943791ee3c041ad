// Builds the site: the browser's code (of bundles.mjs), every page as HTML, and the service worker.
//
//   SIFTWREN_PAGES           the indexer's output (required)
//   SIFTWREN_DIST            the folder to write (required; replaced once everything has worked)
//   SIFTWREN_WASM            the package of wasm-core (default: ../wasm-core/pkg)
//   SIFTWREN_SEARCH_KEY      the public key, which may only search
//   SIFTWREN_SERVICE_WORKER  "off" publishes a worker that removes all earlier ones
//
// With --follow it stays, and builds again at each line of its standard input, until that ends; in place then, and only the files
// that changed, uncompressed. What a build writes to standard error ends with a line `== built` or `== failed`.
import { copyFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  copyBundles,
  currentBundles,
  keepBundles,
  prerenderCode,
  serviceWorkerCode,
  wasmPackage,
} from './bundles.mjs';
import { ComponentPageError, componentPages } from './componentPages.mjs';
import { compressSite } from './compress.mjs';
import { EarlierBuild } from './earlierBuild.mjs';
import { FileDigests } from './fileDigests.mjs';
import { writeServiceWorker } from './serviceWorker.mjs';
import { StandingSite } from './standingSite.mjs';

const siteSource = join(dirname(fileURLToPath(import.meta.url)), '..');

class UsageError extends Error {}

/** What the builds of one process leave to each other. */
class Kept {
  /** @type {import('./bundles.mjs').Bundles | null} of the code as it was when the process began */
  bundles = null;
  /** @type {StandingSite | null} the last build, where it stands as it was left */
  standing = null;
  fileDigests = new FileDigests();
  /** @type {import('./serviceWorker.mjs').Integrities} */ integrities = new Map();
  /** @type {import('../src/app/prerender').Memory | undefined} */ memory;
}

const [option, ...others] = process.argv.slice(2);
const isFollowing = option === '--follow';
if (others.length > 0 || (option !== undefined && !isFollowing)) {
  console.error('usage: node tools/build.mjs [--follow]');
  process.exitCode = 2;
} else {
  const kept = new Kept();
  await attempt(kept);
  if (isFollowing) await follow(kept);
}

/** @param {Kept} kept */
async function follow(kept) {
  tell();
  for await (const _ of createInterface({ input: process.stdin })) {
    await attempt(kept);
    tell();
  }
}

/** How the last build ended. */
function tell() {
  console.error(process.exitCode ? '== failed' : '== built');
}

/** @param {Kept} kept */
async function attempt(kept) {
  try {
    await build(kept);
    process.exitCode = 0;
  } catch (error) {
    const isExplained =
      error instanceof UsageError ||
      error instanceof ComponentPageError ||
      (error instanceof Error && error.name === 'DecodeError');
    console.error(isExplained ? `error: ${error.message}` : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** @param {Kept} kept */
async function build(kept) {
  const pages = required('SIFTWREN_PAGES', "the indexer's output folder");
  const target = required('SIFTWREN_DIST', 'the folder to write the site to');
  const dist = `${target.replace(/[/\\]+$/, '')}.partial`;
  const wasm = wasmPackage();
  await mustExist(join(pages, 'manifest.json'), 'SIFTWREN_PAGES');
  await mustExist(join(wasm, 'wasm_core_bg.wasm'), 'SIFTWREN_WASM');
  const hasServiceWorker = process.env.SIFTWREN_SERVICE_WORKER !== 'off';

  await rm(dist, { recursive: true, force: true });
  try {
    kept.bundles ??= await step('code', async () => currentBundles(wasm));
    const { bundles } = kept;
    keepBundles(bundles);
    const { prerender, Memory } = await prerenderCode(bundles);
    kept.memory ??= new Memory();
    const { memory } = kept;
    const components = await componentPages(pages);
    /**
     * Makes what is not taken over.
     * @param {import('./serviceWorker.mjs').NewSite} site
     * @param {boolean} arePagesPacked
     */
    const make = async (site, arePagesPacked) => {
      const report = await step('pages', () =>
        prerender({
          pages,
          files: site,
          wasm,
          searchKey: process.env.SIFTWREN_SEARCH_KEY || null,
          hasServiceWorker,
          assets: bundles.assets,
          inline: bundles.inline,
          components,
          digestOf: (file) => kept.fileDigests.of(file),
          memory,
        }),
      );
      await step('service worker', async () =>
        hasServiceWorker
          ? writeServiceWorker(serviceWorkerCode(bundles), report, {
              site,
              arePagesPacked,
              integrities: kept.integrities,
            })
          : copyFile(join(siteSource, 'src/service-worker/killSwitch.js'), site.place('sw.js')),
      );
      if (report.searchProblem) console.warn(`warning: ${report.searchProblem}`);
      return `${report.pages} pages, ${report.rendered} rendered`;
    };

    const { standing } = kept;
    // Where that fails, the next build is a whole one.
    kept.standing = null;
    const change = standing?.change(dist);
    if (standing && change) {
      try {
        const pagesMade = await make(change, false);
        console.log(`${pagesMade}; ${standing.finish(change)} files are others`);
        kept.standing = standing;
        return;
      } catch (error) {
        // Somebody took a part of the site away: all of it anew. Where something else is missing, that says so as well.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
        await rm(dist, { recursive: true, force: true });
      }
    }
    copyBundles(bundles, dist);
    const earlier = new EarlierBuild({ target, dist, bundles: bundles.folder });
    const pagesMade = await make(earlier, true);
    const names = [...earlier.names(), 'sw.js'];
    const compressed = await step('compression', async () => compressSite(dist, names, earlier));
    await replace(target, dist);
    kept.standing = new StandingSite(target, bundles.folder, earlier.remember(compressed.way));
    console.log(`${pagesMade}; ${compressed.files.length} files compressed anew`);
  } finally {
    await rm(dist, { recursive: true, force: true });
  }
}

/** Whoever is served from the folder meets it empty for no longer than two renames. @param {string} target @param {string} dist */
async function replace(target, dist) {
  const last = `${dist}.last`;
  await rm(last, { recursive: true, force: true });
  await rename(target, last).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(dist, target);
  await rm(last, { recursive: true, force: true });
}

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 */
async function step(name, work) {
  const start = performance.now();
  const result = await work();
  console.log(`${name.padEnd(16)} ${((performance.now() - start) / 1000).toFixed(3)} s`);
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
