// CPU time of queries in the WebAssembly module: node wasm-queries.mjs PACKAGE INDEX QUERIES.json REPEAT
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packageFolder, indexFile, queriesFile, repeat] = process.argv.slice(2);
const wasm = await import(pathToFileURL(join(packageFolder, 'wasm_core.js')).href);
wasm.initSync({ module: readFileSync(join(packageFolder, 'wasm_core_bg.wasm')) });
const engine = new wasm.SearchEngine(new Uint8Array(readFileSync(indexFile)));
const queries = JSON.parse(readFileSync(queriesFile, 'utf8'));

// V8 compiles while the first rounds run; they do not count.
for (let round = 0; round < 5; round += 1) for (const query of queries) engine.search(query, 10, 10);

const times = [];
for (let round = 0; round < Number(repeat); round += 1) {
  for (const query of queries) {
    const before = process.cpuUsage();
    engine.search(query, 10, 10);
    const used = process.cpuUsage(before);
    times.push(used.user + used.system);
  }
}
times.sort((a, b) => a - b);
const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
const percentile = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
console.log(`mean ${mean.toFixed(0)}, p50 ${percentile(0.5)}, p95 ${percentile(0.95)} over ${times.length} queries`);
