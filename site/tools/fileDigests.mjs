// What files hold, in a few letters. A file that is as it was is not read again: whoever writes one makes a new file of it.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

export class FileDigests {
  /** @type {Map<string, { state: string, digest: string }>} */
  #known = new Map();

  /** @param {string} file */
  of(file) {
    const { ino, size, mtimeMs } = statSync(file);
    const state = `${ino} ${size} ${mtimeMs}`;
    const known = this.#known.get(file);
    if (known?.state === state) return known.digest;
    const digest = createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 10);
    this.#known.set(file, { state, digest });
    return digest;
  }
}
