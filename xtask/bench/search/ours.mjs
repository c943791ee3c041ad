// Our engine on one site: node ours.mjs PACKAGE FOLDER-OF-THE-INDEX QUERIES SECONDS
// Prints as JSON what the index costs a reader: bytes before the first result from a cold start, without the module and its code, and
// CPU time once everything is there. SECONDS is how long queries may be timed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readQueries } from './data.mjs';
import { brotli, percentiles, timed } from './measure.mjs';

const [packageFolder, indexFolder, queriesFile, seconds] = process.argv.slice(2);
const wasm = await import(pathToFileURL(join(packageFolder, 'wasm_core.js')).href);
wasm.initSync({ module: readFileSync(join(packageFolder, 'wasm_core_bg.wasm')) });

const queries = readQueries(queriesFile);
const files = new Map(
  readdirSync(indexFolder).map((name) => [name, readFileSync(join(indexFolder, name))]),
);
const coreName = [...files.keys()].find((name) => name.startsWith('core.'));
const core = new Uint8Array(files.get(coreName));
const sizes = new Map();

function size(name) {
  if (!sizes.has(name)) sizes.set(name, brotli(files.get(name)));
  return sizes.get(name);
}

/** Asks until the answer is there; gives what had to be loaded, and in how many rounds. */
function ask(engine, query, semantic) {
  const loaded = [];
  for (let rounds = 0; ; rounds += 1) {
    const found = engine.search(query, 10, 10, semantic);
    if (found.status === 'ready') return { loaded, rounds, hits: found.hits.length };
    for (const name of found.files) {
      engine.load(name, new Uint8Array(files.get(name)));
      loaded.push(name);
    }
  }
}

function cold(semantic) {
  const bytes = [];
  const rounds = [];
  const kinds = {};
  for (const { query } of queries) {
    const engine = new wasm.SearchEngine(core);
    const answer = ask(engine, query, semantic);
    engine.free();
    let sum = size(coreName);
    for (const name of answer.loaded) {
      sum += size(name);
      const kind = name[0];
      kinds[kind] = (kinds[kind] ?? 0) + size(name) / queries.length;
    }
    bytes.push(sum);
    rounds.push(answer.rounds);
  }
  for (const kind of Object.keys(kinds)) kinds[kind] = Math.round(kinds[kind]);
  return { bytes: percentiles(bytes), rounds: percentiles(rounds), kinds };
}

const warm = new wasm.SearchEngine(core);
const hasVectors = warm.hasVectors();
const report = { core: size(coreName), files: files.size };
for (const semantic of hasVectors ? [false, true] : [false]) {
  const micros = percentiles(
    await timed(queries, (query) => void ask(warm, query, semantic), Number(seconds)),
  );
  report[semantic ? 'hybrid' : 'lexical'] = { ...cold(semantic), micros };
}
console.log(JSON.stringify(report));
