// One peer on one site: node peer.mjs NAME ITEMS SITE QUERIES SECONDS [JUDGED RANKING]
// Prints as JSON what QUERIES cost, which are timed for SECONDS; writes its ranking of JUDGED in the form of `indexer query`.
import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { readQueries, readSections } from './data.mjs';
import { brotli, percentiles, timed } from './measure.mjs';
import { pages, peers } from './peers.mjs';

const [name, items, site, queriesFile, seconds, judgedFile, ranking] = process.argv.slice(2);
const peer = peers[name];
const sections = readSections(items);
const queries = readQueries(queriesFile);
const before = process.cpuUsage();
const index = await peer.build(sections, site);
const building = process.cpuUsage(before);
const report = { buildSeconds: (building.user + building.system) / 1e6 };

if (judgedFile !== undefined) {
  let answers = '';
  for (const { id, query } of readQueries(judgedFile)) {
    const hits = (await pages(index, query, 30)).map((path) => ({ path }));
    answers += `${JSON.stringify({ id, query, hits })}\n`;
  }
  writeFileSync(ranking, answers);
}
report.bytes = await bytes();
report.micros = percentiles(await timed(queries, (query) => index.search(query), Number(seconds)));
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
