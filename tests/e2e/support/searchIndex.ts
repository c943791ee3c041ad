/** The files of the search index in the built site, and ways to disturb them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Page, Request } from '@playwright/test';
import { environment } from './environment.js';
import { RETRIEVE_URL } from './searchModal.js';

const FOLDER = 'assets/search';

/** Everything that only the search loads: code, styles, module, index and its name. */
const SEARCH_FILES = /\/assets\/search|\/search\.json$/;

/** Addresses of the files of one kind: the letter of their names, or 'core'. */
export function indexFiles(kind: string): string[] {
  return readdirSync(join(environment.SIFTWREN_TEST_DIST, FOLDER))
    .filter((name) => name.endsWith('.bin') && name.replace(/\d*\..*/, '') === kind)
    .map((name) => `/${FOLDER}/${name}`);
}

/** Matches the addresses of the files of these kinds. */
export function indexUrls(...kinds: string[]): RegExp {
  return new RegExp(`/${FOLDER}/(${kinds.join('|')})\\d*\\.[0-9a-f]{8}\\.bin$`);
}

/** The platform cannot be reached: the index in the browser answers. */
export async function searchLocally(page: Page): Promise<void> {
  await page.route(RETRIEVE_URL, (route) => route.abort('connectionrefused'));
}

/**
 * Puts the golden index in the place of the site's own: it has many files and vectors, whatever the
 * site was built with. Its pages are not on the site.
 */
export async function useGoldenIndex(page: Page): Promise<void> {
  const folder = join(environment.SIFTWREN_TEST_GOLDEN, 'index');
  const read = (name: string) => readFileSync(join(folder, name));
  const [core = ''] = JSON.parse(read('files.json').toString('utf8')) as string[];
  await page.route(`**/${FOLDER}/*.bin`, (route) => {
    const [name = ''] = new URL(route.request().url()).pathname.split('/').slice(-1);
    return route.fulfill({ body: read(name.startsWith('core.') ? core : name) });
  });
}

/** Every request for a file of the search, in order. */
export function recordSearchFiles(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (SEARCH_FILES.test(request.url())) requests.push(request);
  });
  return requests;
}

/** Bytes of a file of the site as a CDN sends them. */
export function compressedBytes(url: string): number {
  const file = readFileSync(join(environment.SIFTWREN_TEST_DIST, new URL(url).pathname));
  return brotliCompressSync(file, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}
