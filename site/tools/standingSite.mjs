// A site that stays where it is while its author is at work: of each build only the files that are others are written, and put in
// their places when all of them are there.
//
// What was written so has no compressed copies, and the record of the last whole build (earlierBuild.mjs) does not know it: the
// next whole build makes it anew. Until then the folder is taken to be as it was left, but for what a look at the folder itself
// tells: to ask for each file costs more than to make those of one page.
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { COPIES, originalsBelow } from './siteFiles.mjs';

/**
 * @typedef {object} StandingFile
 * @property {string} key of all that it was made from
 * @property {string[]} copies the endings of its compressed ones
 * @property {number} build the number of the last build that has it
 */

export class StandingSite {
  /** @type {string} */ #target;
  /** @type {string[]} */ #bundled;
  /** @type {Map<string, StandingFile>} all but the bundles and the service worker */
  #files = new Map();
  #builds = 0;
  /** @type {string[] | null} */ #names = null;
  /** @type {string[]} assets that only the build before the last one has */
  #leftAssets = [];
  /** @type {string | null} */ #state;

  /**
   * @param {string} target where it is
   * @param {string} bundles the folder of its code
   * @param {Map<string, import('./earlierBuild.mjs').MadeFile>} made what was made for it
   */
  constructor(target, bundles, made) {
    this.#target = target;
    this.#bundled = originalsBelow(join(bundles, 'dist'));
    for (const [name, { key, parts }] of made) {
      this.#files.set(name, { key, copies: COPIES.filter((ending) => ending in parts), build: 0 });
    }
    this.#state = stateOf(target);
  }

  /**
   * Begins a build with the same code. There is none to begin where the site is no longer there, or somebody has put something
   * into its folder, or taken it away. One that was begun and not finished leaves a site that is not known any more.
   * @param {string} dist a new folder for what will be others
   */
  change(dist) {
    if (stateOf(this.#target) !== this.#state) return null;
    mkdirSync(dist);
    this.#builds += 1;
    return new Change({
      target: this.#target,
      dist,
      bundled: this.#bundled,
      files: this.#files,
      build: this.#builds,
      names: this.#names,
    });
  }

  /** Takes what a build wrote. The answer is how many files are others. @param {Change} change */
  finish(change) {
    this.#names = change.names();
    const others = change.finish();
    // A page of the last build that is open may ask for them until it hears of this one.
    change.removeAssets(this.#leftAssets);
    this.#leftAssets = change.leftAssets();
    this.#state = stateOf(this.#target);
    return others;
  }
}

/** Of a folder itself: another one, or one whose entries were changed, has another. @param {string} folder */
function stateOf(folder) {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.mtimeMs}` : null;
}

class Change {
  /** @type {string} */ #target;
  /** @type {string} */ #dist;
  /** @type {string[]} */ #bundled;
  /** @type {Map<string, StandingFile>} */ #files;
  /** @type {number} */ #build;
  /** @type {string[] | null} */ #namesBefore;
  /** @type {Map<string, string>} the keys of files that are made anew */
  #keys = new Map();
  /** @type {Map<string, string>} where those are that were written, by their names: side by side, so that no folders are needed */
  #written = new Map();
  /** @type {string[]} */ #leftAssets = [];

  /**
   * @param {object} site
   * @param {string} site.target
   * @param {string} site.dist
   * @param {string[]} site.bundled
   * @param {Map<string, StandingFile>} site.files
   * @param {number} site.build the number of this one
   * @param {string[] | null} site.names what the last build has, if that is known
   */
  constructor({ target, dist, bundled, files, build, names }) {
    this.#target = target;
    this.#dist = dist;
    this.#bundled = bundled;
    this.#files = files;
    this.#build = build;
    this.#namesBefore = names;
  }

  /**
   * Leaves files where they are that were made from the same as now, all of them or none. The answer is whether it did.
   * @param {string[]} files below the site's folder
   * @param {string} key of all that they are made from
   */
  take(files, key) {
    let areSame = true;
    for (const file of files) {
      const known = this.#files.get(file);
      if (known) known.build = this.#build;
      if (known?.key !== key) areSame = false;
    }
    if (!areSame) for (const file of files) this.#keys.set(file, key);
    return areSame;
  }

  /** Where to write a file. @param {string} name below the site's folder */
  place(name) {
    const place = this.#written.get(name) ?? join(this.#dist, `${this.#written.size}`);
    this.#written.set(name, place);
    return place;
  }

  /**
   * Makes a file of one that is there: by a link, because whoever writes one of them makes a new file of it.
   * @param {string} source
   * @param {string} name below the site's folder
   */
  bring(source, name) {
    const place = this.place(name);
    try {
      linkSync(source, place);
    } catch {
      // Another file system, or one without links.
      copyFileSync(source, place);
    }
  }

  /** The files of the new site, without compressed copies. The same list as before where they have the same names. */
  names() {
    const come = [...this.#keys.keys()].filter((file) => !this.#files.has(file));
    const gone = this.#gone();
    if (this.#namesBefore && come.length === 0 && gone.length === 0) return this.#namesBefore;
    const notThere = new Set(gone);
    const stay = [...this.#files.keys()].filter((file) => !notThere.has(file));
    return [...stay, ...come, ...this.#bundled].sort();
  }

  /** What the last build has and this one has not. */
  #gone() {
    const gone = [];
    for (const [file, { build }] of this.#files) if (build !== this.#build) gone.push(file);
    return gone;
  }

  /** Where a file of the new site is. @param {string} name */
  path(name) {
    return this.#written.get(name) ?? join(this.#target, name);
  }

  /** Puts what was written in its place, and removes the pages that the new site does not have. The answer is how many files are others. */
  finish() {
    const written = [...this.#written.keys()];
    const removed = this.#gone();
    // Pages never name assets that are not there.
    this.#put(written.filter(isAsset));
    this.#remove(removed.filter((file) => !isAsset(file)));
    this.#put(written.filter((file) => !isAsset(file)));
    this.#leftAssets = removed.filter(isAsset);
    for (const file of this.#leftAssets) this.#files.delete(file);
    return written.length + removed.length;
  }

  /** The assets of the last build that the new site does not have. They are still there. */
  leftAssets() {
    return this.#leftAssets;
  }

  /** Removes those of these that the new site does not have. @param {string[]} files */
  removeAssets(files) {
    this.#remove(files.filter((file) => !this.#files.has(file)));
  }

  /** @param {string[]} files */
  #put(files) {
    for (const file of files) {
      const target = join(this.#target, file);
      if (!this.#files.has(file)) mkdirSync(dirname(target), { recursive: true });
      renameSync(this.path(file), target);
      this.#removeCopies(file);
      const key = this.#keys.get(file);
      if (key !== undefined) this.#files.set(file, { key, copies: [], build: this.#build });
    }
  }

  /** @param {string[]} files */
  #remove(files) {
    for (const file of files) {
      const target = join(this.#target, file);
      rmSync(target, { force: true });
      this.#removeCopies(file);
      this.#files.delete(file);
      removeEmpty(dirname(target));
    }
  }

  /** @param {string} file */
  #removeCopies(file) {
    const { copies } = this.#files.get(file) ?? { copies: COPIES };
    for (const ending of copies) rmSync(join(this.#target, file + ending), { force: true });
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

/** @param {string} file */
function isAsset(file) {
  return file.startsWith('assets/');
}
