/** The pages of the built site, read from its folder: what no page of it can leave out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from './environment.js';

const INDEX = 'index.html';

/** The paths of all pages. */
export function pagePaths(): string[] {
  const files = readdirSync(environment.SIFTWREN_TEST_DIST, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file === INDEX || file.endsWith(`/${INDEX}`))
    .map((file) => `/${file.slice(0, -INDEX.length)}`.replace(/(.)\/$/, '$1'))
    .sort();
}

export function builtFile(path: string): string {
  return readFileSync(join(environment.SIFTWREN_TEST_DIST, path), 'utf8');
}

/** Of a style sheet or script whose name carries a hash: below `assets`, it starts with `name`. */
export function builtAsset(name: string, extension: string): string {
  const folder = join(environment.SIFTWREN_TEST_DIST, 'assets');
  const [file, ...others] = readdirSync(folder).filter(
    (file) => file.startsWith(`${name}-`) && file.endsWith(`.${extension}`),
  );
  if (file === undefined || others.length > 0) {
    throw new Error(`there is more or less than one assets/${name}-*.${extension}`);
  }
  return `/assets/${file}`;
}
