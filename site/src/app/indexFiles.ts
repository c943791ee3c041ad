/** The files of the search index, and how the search of the site is set up. */
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Manifest } from '../shared/content/manifest';
import type { SearchConfig } from '../shared/content/model';
import type { Output } from './output';

/** Where the files of the index are: beside no page, and under names that carry their checksum. */
const SEARCH_FOLDER = 'assets/search';
/** The words, names and texts. The rest is the meaning of words and sections. */
const OFFLINE_KINDS = new Set(['core', 't', 'w', 'n', 'x']);

/** A file of the index below the site's folder, and whether a search without a network needs it. */
export interface IndexFile {
  file: string;
  bytes: number;
  isOffline: boolean;
}

export function copyIndex(manifest: Manifest, pages: string, files: Output): IndexFile[] {
  const { files: listed, index } = manifest.search;
  const core = basename(index);
  if (!listed.some(({ name }) => name === core)) {
    throw new Error(`manifest.json: search.files does not list the core ${core}`);
  }
  return listed.map(({ name, bytes, kind }) => {
    const file = `${SEARCH_FOLDER}/${name}`;
    // The name carries a checksum.
    if (!files.take([file], name)) {
      const source = join(pages, dirname(index), name);
      const size = statSync(source, { throwIfNoEntry: false })?.size;
      if (size !== bytes) {
        const found = size === undefined ? 'is not there' : `has ${size} bytes`;
        throw new Error(`${source} ${found}; manifest.json says ${bytes} bytes`);
      }
      files.copyNew(source, file);
    }
    return { file, bytes, isOffline: OFFLINE_KINDS.has(kind) };
  });
}

/** Writes `search.json`, which names the cores. `wasm` is the file of the module. */
export async function searchConfig(
  manifest: Manifest,
  { base, wasm, searchKey }: { base: string; wasm: string; searchKey: string | null },
  files: Output,
): Promise<SearchConfig> {
  const { mode, api_url: apiUrl, model, index, languages } = manifest.search;
  const core = (file: string) => `${base}${SEARCH_FOLDER}/${basename(file)}`;
  const elsewhere = Object.entries(languages ?? {}).map(([tag, file]) => [tag, core(file)]);
  const named = { index: core(index), languages: Object.fromEntries(elsewhere) };
  await files.write(
    'search.json',
    JSON.stringify(elsewhere.length > 0 ? named : { index: named.index }),
  );
  return {
    mode,
    apiUrl,
    model,
    key: mode === 'local' ? null : searchKey,
    wasmUrl: base + wasm,
    siteRoot: base,
    languages: Object.keys(languages ?? {}),
  };
}
