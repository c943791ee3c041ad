// Stores each text file of the site compressed beside itself, as .br and .gz: a host that can serves
// them as they are, and needs no time for it.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXT = /\.(html|js|css|json|svg|wasm|bin|webmanifest|txt|xml|md|yaml)$/;
/** Code is fetched by every reader, and there is little of it. The service worker lists the site, and is another in every build. */
const CODE = /(?<!\/sw)\.(js|css|wasm)$/;
/** Headers of the answer outweigh what can be saved of less. */
const SMALLEST = 200;
/** The last percents of a page cost more time than all the others; a large site goes without. */
const THOROUGH_LIMIT = 10_000_000;
/**
 * Measured on 66 MB of pages, in ms per MB and parts of the size: brotli 5 12.0 and 21.5 %, 4 8.8 and 23.1 %, 3 5.4 and 24.2 %,
 * 2 4.1 and 24.7 %; gzip 2 4.4 and 25.5 %, 1 4.3 and 26.3 %.
 */
const QUICK = { brotli: 3, gzip: 2 };
/** A file above this is no page. */
const PAGE_LIMIT = 1_000_000;
/** Nobody waits for the last percents of these, nor of what is no page, and with each change some are others. */
const FOR_PROGRAMS = /(\.(md|txt|xml)|\/sw\.js)$/;
/**
 * The application, which comes when nobody waits any more: to make 97 kB of it instead of 99 takes as long as 80 pages of a large
 * site.
 */
const APPLICATION = /\bassets\/client-[^/]*\.js$/;
/**
 * Of a large site only what readers wait for, because a file costs more than its compression: the Markdown of pages is for
 * programs, as is all of it in one file; the data of pages and the index are for browsers with scripts, all of which take brotli.
 */
const NEVER_IN_LARGE = /(\.md|\bllms-full\.txt)$/;
const BROTLI_IN_LARGE = /\bfragments\b.*\.json$|\bsearch\b.*\.bin$/;

/** @typedef {{ isCompressed(file: string, way: string): boolean }} Earlier what has been compressed before */

/**
 * One file after the other, so that little of the site is in memory at a time; and without Node's threads, which cost more
 * than they win on files of some kilobytes.
 * @param {string} dist
 * @param {string[]} names of its files
 * @param {Earlier} [earlier]
 * @returns {{ files: string[], way: string }} what was compressed, and in which way
 */
export function compressSite(dist, names, earlier) {
  const files = names.filter((name) => TEXT.test(name)).map((name) => join(dist, name));
  const isLarge = areLargerThan(THOROUGH_LIMIT, files);
  /** @type {string[]} */
  const compressed = [];
  const way = isLarge ? 'quick' : 'thorough';
  for (const file of files) {
    if (isLarge && NEVER_IN_LARGE.test(file)) continue;
    // Bundles come with their copies.
    if (CODE.test(file) && existsSync(`${file}.br`)) continue;
    if (earlier?.isCompressed(file, way)) continue;
    const content = readFileSync(file);
    if (content.length < SMALLEST) continue;
    const isThorough = CODE.test(file) || !isLarge;
    const br = brotli(content, isThorough ? thoroughly(file, content) : QUICK.brotli);
    if (br.length < content.length) writeFileSync(`${file}.br`, br);
    if (!isLarge || !BROTLI_IN_LARGE.test(file)) {
      const level = isThorough ? 9 : QUICK.gzip;
      const gz = gzipSync(content, { level, chunkSize: roomFor(content) });
      if (gz.length < content.length) writeFileSync(`${file}.gz`, gz);
    }
    compressed.push(file);
  }
  return { files: compressed, way };
}

/** Files are asked for their sizes until it is known. @param {number} bytes @param {string[]} files */
function areLargerThan(bytes, files) {
  let sum = 0;
  return files.some((file) => {
    sum += statSync(file).size;
    return sum > bytes;
  });
}

/** The quality for which readers of a file are worth the time. @param {string} file @param {Buffer} content */
function thoroughly(file, content) {
  if (CODE.test(file)) return APPLICATION.test(file) ? 10 : 11;
  return content.length > PAGE_LIMIT || FOR_PROGRAMS.test(file) ? 9 : 10;
}

/** @param {Buffer} content @param {number} quality */
function brotli(content, quality) {
  return brotliCompressSync(content, {
    chunkSize: roomFor(content),
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      // No longer than the file: the window is paid for whether it is used or not.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(
        22,
        Math.max(16, Math.ceil(Math.log2(content.length))),
      ),
    },
  });
}

/** Nearly all texts shrink to less. @param {Buffer} content */
function roomFor(content) {
  return Math.max(1024, content.length >> 1);
}
