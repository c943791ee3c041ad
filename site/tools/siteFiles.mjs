// The files of a folder by their names below it, as a site knows them.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What a compressed copy adds to the name of its file. */
export const COPIES = ['.br', '.gz'];

/** @param {string} name */
function isCopy(name) {
  return COPIES.some((ending) => name.endsWith(ending));
}

/** All but compressed copies. @param {string} folder */
export function originalsBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !isCopy(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}
