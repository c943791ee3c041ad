// The peers from npm. Each takes sections and gives a search over them that answers with pages, best first; what it sends to a
// browser is told as code and as data. Settings are those of the package's own documentation unless said otherwise.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { create, insertMultiple, save, search as searchOrama } from '@orama/orama';
import FlexSearch from 'flexsearch';
import lunr from 'lunr';
import MiniSearch from 'minisearch';
import { pagesOf } from './data.mjs';

/** Sections as these libraries like them. */
const documents = (sections) =>
  sections.map((section) => ({ ...section, titles: section.titles.join(' ') }));

/** What an index does not hold and every hit needs: where it leads, what it is called. */
const addresses = (sections) => sections.map(({ url }) => url);
const addressesAndTitles = (sections) =>
  sections.map(({ url, title, titles }) => [url, title, titles]);

function miniSearch(searchOptions) {
  const options = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] };
  return {
    code: `import MiniSearch from 'minisearch';
      export const open = (json) => MiniSearch.loadJSON(json, ${JSON.stringify({ ...options, searchOptions })});`,
    build(sections) {
      const index = new MiniSearch(options);
      index.addAll(documents(sections));
      return {
        search: (query) => index.search(query, searchOptions).map((hit) => sections[hit.id]),
        data: () => [JSON.stringify(index), JSON.stringify(addresses(sections))],
      };
    },
  };
}

function lunrCutAt(separator) {
  return {
    code: `import lunr from 'lunr'; export const open = (json) => lunr.Index.load(JSON.parse(json));`,
    build(sections) {
      lunr.tokenizer.separator = separator;
      const index = lunr(function () {
        this.ref('id');
        for (const field of ['title', 'titles', 'text']) this.field(field);
        for (const section of documents(sections)) this.add(section);
      });
      return {
        // Not `index.search(text)`: that reads `:`, `~` and `-` of a query as operators.
        search: (text) =>
          index.query((query) => query.term(lunr.tokenizer(text))).map((hit) => sections[hit.ref]),
        data: () => [JSON.stringify(index), JSON.stringify(addressesAndTitles(sections))],
      };
    },
  };
}

export const peers = {
  Pagefind: pagefind(),
  // No fuzziness, no prefixes, fields count alike, any word may match.
  MiniSearch: miniSearch({}),
  // `searchOptions` of VitePress's local search.
  'MiniSearch as VitePress': miniSearch({
    fuzzy: 0.2,
    prefix: true,
    boost: { title: 4, text: 2, titles: 1 },
  }),
  Lunr: lunrCutAt(/[\s-]+/),
  // Its default keeps `@scope/name` and `a.b` whole; cut there as well it finds more.
  'Lunr, names cut': lunrCutAt(/[\s\-/.@]+/),
  FlexSearch: {
    code: `import { Document, Charset } from 'flexsearch';
      export const open = (parts) => {
        const index = new Document({ tokenize: 'forward', encoder: Charset.LatinBalance, document: { id: 'id', index: ['title', 'titles', 'text'] } });
        for (const [key, part] of parts) index.import(key, part);
        return index;
      };`,
    build(sections) {
      const index = new FlexSearch.Document({
        tokenize: 'forward',
        encoder: FlexSearch.Charset.LatinBalance,
        document: { id: 'id', index: ['title', 'titles', 'text'] },
      });
      for (const section of documents(sections)) index.add(section);
      return {
        // One list for all fields; `suggest` lets words be missing.
        search: (query) =>
          index
            .search(query, { limit: 100, merge: true, suggest: true })
            .map((hit) => sections[hit.id]),
        data() {
          const parts = [];
          index.export((key, part) => void parts.push([key, part]));
          return [JSON.stringify(parts), JSON.stringify(addressesAndTitles(sections))];
        },
      };
    },
  },
  Orama: {
    code: `import { create, load, search } from '@orama/orama';
      export const open = (json) => {
        const index = create({ schema: { title: 'string', titles: 'string', text: 'string' } });
        load(index, JSON.parse(json));
        return (term) => search(index, { term });
      };`,
    async build(sections) {
      const index = create({ schema: { title: 'string', titles: 'string', text: 'string' } });
      const rows = documents(sections).map(({ id, title, titles, text }) => ({
        id: String(id),
        title,
        titles,
        text,
      }));
      await insertMultiple(index, rows, 1000);
      return {
        search: async (term) =>
          (await searchOrama(index, { term, limit: 100 })).hits.map((hit) => sections[hit.id]),
        // It keeps the texts in its index: there is no setting against that.
        data: () => [JSON.stringify(save(index)), JSON.stringify(addresses(sections))],
      };
    },
  },
};

/** Its own browser code, run in Node over the files that its program wrote, with a fetch that reads them and counts. */
function pagefind() {
  // How many results its default interface loads and shows at first.
  const shown = 5;
  let opened = 0;
  return {
    async build(_sections, site) {
      const folder = join(site, 'pagefind');
      const fetched = new Map();
      globalThis.location = { origin: 'http://127.0.0.1', href: 'http://127.0.0.1/' };
      globalThis.fetch = async (url) => {
        const name = new URL(String(url), 'http://127.0.0.1').pathname.replace('/pagefind/', '');
        if (!fetched.has(name)) fetched.set(name, readFileSync(join(folder, name)));
        return new Response(fetched.get(name));
      };
      opened += 1;
      // A module is evaluated once for each address.
      const module = await import(`${pathToFileURL(join(folder, 'pagefind.js')).href}?${opened}`);
      const engine = module.createInstance({ basePath: '/pagefind/', baseUrl: '/' });
      await engine.init();
      const load = async (query, most) => {
        const found = await engine.search(query);
        return Promise.all(found.results.slice(0, most).map((result) => result.data()));
      };
      const pageOf = (address) => address.replace(/(index\.html)?$/, '').replace(/(.)\/$/, '$1');
      return {
        // Its files are compressed; its code is not.
        code: readFileSync(join(folder, 'pagefind.js')),
        fetched,
        search: (query) => load(query, shown),
        pages: async (query, most) => (await load(query, most)).map((data) => pageOf(data.raw_url)),
      };
    },
  };
}

/** The pages that a peer finds, best first. */
export async function pages(index, query, most) {
  return index.pages ? index.pages(query, most) : pagesOf(await index.search(query), most);
}
