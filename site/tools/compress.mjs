// Stores each text file of the site compressed beside itself, as .br and .gz: a host that can serves
// them as they are, and needs no time for it.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXT = /\.(html|js|css|json|svg|wasm|bin|webmanifest|txt|xml|md|yaml)$/;
/** Code is fetched by every reader, and there is little of it. The service worker lists the site, and is another in every build. */
const CODE = /(?<!\/sw)\.(js|css|wasm)$/;
/** Headers of the answer outweigh what can be saved of less. */
const SMALLEST = 200;
/**
 * The last percents of a page cost more time than all the others; a large site goes without. Measured on 11.6 MB of pages,
 * in ms per MB and parts of the size: brotli 5 21 and 18.6 %, brotli 4 14.5 and 19.9 %; gzip 9 16 and 20.2 %, gzip 2 6.6 and 22.6 %.
 */
const THOROUGH_LIMIT = 10_000_000;
/** A file above this is no page. */
const PAGE_LIMIT = 1_000_000;
/** Nobody waits for the last percents of these, nor of what is no page, and with each change some are others. */
const FOR_PROGRAMS = /(\.(md|txt|xml)|\/sw\.js)$/;
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
 * @param {Earlier} [earlier]
 * @returns {{ files: string[], way: string }} what was compressed, and in which way
 */
export function compressSite(dist, earlier) {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
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
    const br = brotli(content, isThorough ? thoroughly(file, content) : 4);
    if (br.length < content.length) writeFileSync(`${file}.br`, br);
    if (!isLarge || !BROTLI_IN_LARGE.test(file)) {
      const gz = gzipSync(content, { level: isThorough ? 9 : 2, chunkSize: roomFor(content) });
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
  if (CODE.test(file)) return 11;
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
