// Pagefind's own browser code, run in Node over the files that its program wrote, with a fetch that reads and counts them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** How many results its default interface shows, and so loads, at first. */
const SHOWN = 5;

/** A fresh Pagefind over SITE/pagefind, with the bytes that it asked for so far. */
export async function openPagefind(site) {
  const folder = join(site, 'pagefind');
  const fetched = new Map();
  globalThis.location = { origin: 'http://127.0.0.1', href: 'http://127.0.0.1/' };
  globalThis.fetch = async (url) => {
    const name = new URL(String(url), 'http://127.0.0.1/pagefind/').pathname.replace(/^.*\/pagefind\//, '');
    const bytes = readFileSync(join(folder, name));
    fetched.set(name, bytes);
    return new Response(bytes);
  };
  // A module is evaluated once for each address.
  openPagefind.count = (openPagefind.count ?? 0) + 1;
  const module = await import(`${pathToFileURL(join(folder, 'pagefind.js')).href}?${openPagefind.count}`);
  const engine = module.createInstance({ basePath: '/pagefind/', baseUrl: '/' });
  await engine.init();
  const page = (data) => data.raw_url.replace(/(index\.html)?$/, '').replace(/(.)\/$/, '$1');
  return {
    fetched,
    /** The first results as pages, as many as asked for. */
    async pages(query, most) {
      const found = await engine.search(query);
      const pages = [];
      for (const result of found.results.slice(0, most)) pages.push(page(await result.data()));
      return pages;
    },
    /** What a reader waits for. */
    search: (query) => engine.search(query).then((found) => Promise.all(found.results.slice(0, SHOWN).map((r) => r.data()))),
    ranked: (query) => engine.search(query),
  };
}
