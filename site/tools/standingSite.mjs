// A site that stays where it is while its author is at work: of each build only the files that are others are written, and put in
// their places when all of them are there.
//
// What was written so has no compressed copies, and the record of the last whole build (earlierBuild.mjs) does not know it: the
// next whole build makes it anew.
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const COPIES = ['.br', '.gz'];

/**
 * @typedef {object} StandingFile
 * @property {string} key of all that it was made from
 * @property {number} size
 * @property {number} time
 */

export class StandingSite {
  /** @type {string} */ #target;
  /** @type {string[]} */ #bundled;
  /** @type {Map<string, StandingFile>} all but the bundles and the service worker */
  #files;
  /** @type {number} */ #folder;

  /**
   * @param {string} target where it is
   * @param {string} bundles the folder of its code
   * @param {Map<string, import('./earlierBuild.mjs').MadeFile>} made what was made for it
   */
  constructor(target, bundles, made) {
    this.#target = target;
    this.#bundled = filesBelow(join(bundles, 'dist')).filter((file) => !isCopy(file));
    this.#files = new Map();
    for (const [name, { key, parts }] of made) {
      const [size = 0, time = 0] = parts[''] ?? [];
      this.#files.set(name, { key, size, time });
    }
    this.#folder = statSync(target).ino;
  }

  /**
   * Begins a build with the same code. There is none to begin where the site is no longer there.
   * @param {string} dist the new folder of what will be others
   */
  change(dist) {
    const folder = statSync(this.#target, { throwIfNoEntry: false });
    if (folder?.ino !== this.#folder) return null;
    mkdirSync(dist);
    return new Change(this.#target, dist, this.#bundled, this.#files);
  }
}

export class Change {
  /** @type {string} */ #target;
  /** @type {string} */ #dist;
  /** @type {string[]} */ #bundled;
  /** @type {Map<string, StandingFile>} */ #files;
  /** @type {Map<string, string>} by the name of each file of the new site */
  #keys = new Map();
  /** @type {Set<string>} those of them that stay where they are */
  #taken = new Set();

  /**
   * @param {string} target
   * @param {string} dist
   * @param {string[]} bundled
   * @param {Map<string, StandingFile>} files
   */
  constructor(target, dist, bundled, files) {
    this.#target = target;
    this.#dist = dist;
    this.#bundled = bundled;
    this.#files = files;
  }

  /**
   * Leaves files where they are that were made from the same as now, all of them or none. The answer is whether it did.
   * @param {string[]} files below the site's folder
   * @param {string} key of all that they are made from
   */
  take(files, key) {
    for (const file of files) this.#keys.set(file, key);
    const areSame = files.every((file) => {
      const known = this.#files.get(file);
      if (known?.key !== key) return false;
      // Somebody may have changed or removed it.
      const now = statSync(join(this.#target, file), { throwIfNoEntry: false });
      return now?.size === known.size && now.mtimeMs === known.time;
    });
    if (areSame) for (const file of files) this.#taken.add(file);
    return areSame;
  }

  /** The files of the new site, without compressed copies. */
  names() {
    return [...this.#keys.keys(), ...this.#bundled].sort();
  }

  /** Where a file of the new site is. @param {string} name */
  path(name) {
    const isNew = this.#keys.has(name) && !this.#taken.has(name);
    return join(isNew ? this.#dist : this.#target, name);
  }

  /** Puts what was written in its place, and removes what the new site does not have. The answer is how many files are others. */
  finish() {
    const written = filesBelow(this.#dist);
    const removed = [...this.#files.keys()].filter((file) => !this.#keys.has(file));
    // Pages never name assets that are not there.
    this.#put(written.filter(isAsset));
    this.#remove(removed.filter((file) => !isAsset(file)));
    this.#put(written.filter((file) => !isAsset(file)));
    this.#remove(removed.filter(isAsset));
    return written.length + removed.length;
  }

  /** @param {string[]} files */
  #put(files) {
    for (const file of files) {
      const target = join(this.#target, file);
      mkdirSync(dirname(target), { recursive: true });
      renameSync(join(this.#dist, file), target);
      this.#removeCopies(target);
      const { size, mtimeMs: time } = statSync(target);
      const key = this.#keys.get(file);
      if (key !== undefined) this.#files.set(file, { key, size, time });
    }
  }

  /** @param {string[]} files */
  #remove(files) {
    for (const file of files) {
      const target = join(this.#target, file);
      rmSync(target, { force: true });
      this.#removeCopies(target);
      this.#files.delete(file);
      removeEmpty(dirname(target));
    }
  }

  /** @param {string} file */
  #removeCopies(file) {
    for (const ending of COPIES) rmSync(file + ending, { force: true });
  }
}

/** A folder that holds nothing any more, and those around it. @param {string} folder */
function removeEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch {
    // It holds something, or is gone.
    return;
  }
  removeEmpty(dirname(folder));
}

/** @param {string} folder */
function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** @param {string} file */
function isAsset(file) {
  return file.startsWith('assets/');
}

/** @param {string} file */
function isCopy(file) {
  return COPIES.some((ending) => file.endsWith(ending));
}
