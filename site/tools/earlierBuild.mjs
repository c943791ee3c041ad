// What the last build of a site has left: what did not change since is linked from it into the new one, with its compressed copies,
// and not made again.
//
// A record, kept beside the bundles, says from what each file was made, and the size and time of it and of its copies. A file that
// somebody has changed or removed since is made anew; without a record everything is.
import { createHash } from 'node:crypto';
import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { originalsBelow } from './siteFiles.mjs';

/** What a copy has behind the name of its file. */
const COPIES = /\.(br|gz)$/;

/**
 * @typedef {object} MadeFile
 * @property {string} key of all that it was made from
 * @property {Record<string, [size: number, time: number]>} parts the file under '', its copies under their endings
 */

export class EarlierBuild {
  /** @type {string} */ #target;
  /** @type {string} */ #dist;
  /** @type {string} */ #record;
  /** @type {string} */ #code;
  /** @type {string[]} */ #bundled;
  /** @type {Map<string, MadeFile>} */ #made;
  /** @type {string | null} */ #compression;
  /** @type {Map<string, string>} the files of the new build that another one may take over */
  #keys = new Map();
  /** @type {Set<string>} */ #taken = new Set();
  /** @type {Set<string>} */ #folders = new Set();

  /**
   * @param {object} build
   * @param {string} build.target where the last build is, and where the new one will be
   * @param {string} build.dist where the new one is made
   * @param {string} build.bundles the folder of its code: what other code made is not taken over
   */
  constructor({ target, dist, bundles }) {
    this.#target = resolve(target);
    this.#dist = dist;
    this.#code = basename(bundles);
    this.#bundled = originalsBelow(join(bundles, 'dist'));
    const name = createHash('sha256').update(this.#target).digest('base64url').slice(0, 10);
    this.#record = join(dirname(bundles), `record-${name}.json`);
    const record = readRecord(this.#record);
    const isUsable = record !== null && record.code === this.#code;
    this.#made = new Map(isUsable ? Object.entries(record.files) : []);
    this.#compression = isUsable ? record.compression : null;
  }

  /**
   * Takes files over that were made from the same as now, all of them or none. The answer is whether it did; otherwise the caller
   * makes them.
   * @param {string[]} files below the site's folder
   * @param {string} key of all that they are made from
   */
  take(files, key) {
    for (const file of files) this.#keys.set(file, key);
    const found = files.flatMap((file) => this.#untouched(file, key) ?? [null]);
    if (found.includes(null)) return false;
    for (const name of found) this.#link(/** @type {string} */ (name));
    for (const file of files) this.#taken.add(file);
    return true;
  }

  /** Where to write a file. @param {string} name below the site's folder */
  place(name) {
    const place = join(this.#dist, name);
    const folder = dirname(place);
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true });
      this.#folders.add(folder);
    }
    return place;
  }

  /** Makes a file of one that is there. @param {string} source @param {string} name below the site's folder */
  bring(source, name) {
    copyFileSync(source, this.place(name), constants.COPYFILE_FICLONE);
  }

  /**
   * Whether a file has come with its compressed copies, made in the same way. Copies that were made in another way are removed.
   * @param {string} file
   * @param {string} compression names the way
   */
  isCompressed(file, compression) {
    const name = this.#nameOf(file);
    if (!this.#taken.has(name)) return false;
    if (compression === this.#compression) return true;
    for (const ending of Object.keys(this.#made.get(name)?.parts ?? {})) {
      if (ending !== '') rmSync(file + ending);
    }
    return false;
  }

  /** The files of the new site, without compressed copies. */
  names() {
    return [...this.#keys.keys(), ...this.#bundled].sort();
  }

  /** Where a file of the new site is. @param {string} name */
  path(name) {
    return join(this.#dist, name);
  }

  /**
   * For the next build, once this one is in its place.
   * @param {string} compression
   * @returns {Map<string, MadeFile>} what may be taken over
   */
  remember(compression) {
    /** @type {Record<string, MadeFile>} */
    const files = {};
    for (const entry of readdirSync(this.#target, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const name = relative(this.#target, file).replaceAll('\\', '/');
      const original = name.replace(COPIES, '');
      const key = this.#keys.get(original);
      if (key === undefined) continue;
      const { size, mtimeMs } = statSync(file);
      files[original] ??= { key, parts: {} };
      files[original].parts[name.slice(original.length)] = [size, mtimeMs];
    }
    writeFileSync(this.#record, JSON.stringify({ code: this.#code, compression, files }));
    return new Map(Object.entries(files));
  }

  /**
   * The names of a file and of its copies, where they were made from the same and are as they were left.
   * @param {string} file @param {string} key
   */
  #untouched(file, key) {
    const made = this.#made.get(file);
    if (made?.key !== key || made.parts[''] === undefined) return null;
    const names = [];
    for (const [ending, [size, time]] of Object.entries(made.parts)) {
      const now = statSync(join(this.#target, file + ending), { throwIfNoEntry: false });
      if (now?.size !== size || now.mtimeMs !== time) return null;
      names.push(file + ending);
    }
    return names;
  }

  /** Below the site's folder. @param {string} file */
  #nameOf(file) {
    return relative(this.#dist, file).replaceAll('\\', '/');
  }

  /** @param {string} name */
  #link(name) {
    linkSync(join(this.#target, name), this.place(name));
  }
}

/**
 * @param {string} file
 * @returns {{ code: string, compression: string, files: Record<string, MadeFile> } | null}
 */
function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // None yet, or half of one: it only saves time.
    return null;
  }
}
