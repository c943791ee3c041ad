/** The answer on the start page: asked of this build's own index, so that it is always true. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Hit, initSync, SearchEngine } from 'wasm-core';
import type { Manifest } from '../shared/content/manifest';
import type { ExampleAnswer } from '../shared/content/model';

const QUERY = 'how good is my ranking';
const HITS = 3;

/** The best sections of a query, many enough for three different pages. */
const CANDIDATES = 50;

export async function exampleAnswer(
  { pages, wasm }: { pages: string; wasm: string },
  manifest: Manifest,
  paths: ReadonlySet<string>,
): Promise<ExampleAnswer | null> {
  initSync({ module: await readFile(join(wasm, 'wasm_core_bg.wasm')) });
  const core = join(pages, manifest.search.index);
  const engine = new SearchEngine(await readFile(core));
  try {
    const best = new Map<string, ExampleAnswer['hits'][number]>();
    for (const hit of await search(engine, dirname(core))) {
      if (best.has(hit.pathname) || !paths.has(hit.pathname) || hit.score === null) continue;
      best.set(hit.pathname, {
        path: hit.pathname,
        title: hit.hierarchy.lvl1,
        section: hit.hierarchy.lvl0,
        score: hit.score,
      });
    }
    const hits = [...best.values()].slice(0, HITS);
    return hits.length === HITS ? { query: QUERY, hits } : null;
  } finally {
    engine.free();
  }
}

async function search(engine: SearchEngine, folder: string): Promise<Hit[]> {
  for (let round = 0; round < 20; round += 1) {
    const found = engine.search(QUERY, CANDIDATES, 10, engine.hasVectors());
    if (found.status === 'ready') return found.hits;
    for (const file of found.files) engine.load(file, await readFile(join(folder, file)));
  }
  throw new Error('The index asks for ever more files.');
}
