// One peer on one site: node peer.mjs NAME ITEMS QUERIES SITE RANKING|- SECONDS
// Writes its ranking in the form of `indexer query`, and prints what it costs as JSON; SECONDS is how long queries may be timed.
import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { readQueries, readSections } from './data.mjs';
import { brotli, percentiles, timed } from './measure.mjs';
import { pages, peers } from './peers.mjs';

const [name, items, queriesFile, site, ranking, seconds] = process.argv.slice(2);
const peer = peers[name];
const sections = readSections(items);
const queries = readQueries(queriesFile);
const before = process.cpuUsage();
const index = await peer.build(sections, site);
const building = process.cpuUsage(before);
const report = { buildSeconds: (building.user + building.system) / 1e6 };

if (ranking !== '-') {
  let answers = '';
  for (const { id, query } of queries) {
    const hits = (await pages(index, query, 30)).map((path) => ({ path }));
    answers += `${JSON.stringify({ id, query, hits })}\n`;
  }
  writeFileSync(ranking, answers);
}
if (Number(seconds) > 0) {
  report.bytes = await bytes();
  report.micros = percentiles(await timed(queries, (query) => index.search(query), Number(seconds)));
}
console.log(JSON.stringify(report));

/** What a reader loads before the first result, for each query. */
async function bytes() {
  if (peer.code !== undefined) {
    const bundle = await build({
      stdin: { contents: peer.code, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    const code = brotli(bundle.outputFiles[0].contents);
    const data = index.data().reduce((sum, part) => sum + brotli(part), 0);
    return { code, ...percentiles(queries.map(() => code + data)) };
  }
  let code = 0;
  const sums = [];
  for (const { query } of queries) {
    const fresh = await peer.build(sections, site);
    await fresh.search(query);
    code ||= brotli(fresh.code);
    let sum = code;
    for (const file of fresh.fetched.values()) sum += file.length;
    sums.push(sum);
  }
  return { code, ...percentiles(sums) };
}
