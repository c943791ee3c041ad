// The four categories of Lighthouse, as a phone on a slow network sees them.
//
//   node lighthouse.mjs DIST PATH... [--not-found PATH]
//
// The runs of a page differ, most of all in their blocking time: its figures are the medians of some. SIFTWREN_CHROMIUM names the
// browser. Prints a JSON list, an entry a path; last the one without a page, where the host answers with
// that of the site for this.
import { parseArgs } from 'node:util';
import lighthouse from 'lighthouse';
import { launch } from 'chrome-launcher';
import { pageOf, serve } from './serve.mjs';

const RUNS = 3;
const FIGURES = ['performance', 'accessibility', 'practices', 'seo', 'lcp', 'tbt', 'tbtCpu', 'cls'];
// What Lighthouse takes a phone to be slower by, and from when on a task blocks, in milliseconds.
const SLOWDOWN = 4;
const BLOCKING_MS = 50;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'not-found': { type: 'string' } } });
const [dist, ...paths] = positionals;
const notFound = values['not-found'];
const server = await serve(dist);
const chrome = await launch({
  chromePath: process.env.SIFTWREN_CHROMIUM || '/usr/bin/chromium',
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'],
});
try {
  const results = [];
  for (const path of paths) {
    const page = await pageOf(dist, path);
    if (page === null) throw new Error(`${dist} has no page at ${path}`);
    results.push(await measured(page));
  }
  if (notFound) results.push(await measured(notFound));
  console.log(JSON.stringify(results));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  chrome.kill();
  await server.close();
}

async function measured(path) {
  const runs = [];
  while (runs.length < RUNS) runs.push(await measure(path));
  const failed = runs.flatMap((run) => run.failed);
  return {
    path,
    ...Object.fromEntries(FIGURES.map((name) => [name, median(runs.map((run) => run[name]))])),
    // What more than half of them mark down.
    failed: [...new Set(failed)].filter(
      (id) => failed.filter((other) => other === id).length > RUNS / 2,
    ),
  };
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

async function measure(path, isAgain = false) {
  const address = server.origin + path;
  // Compressed now, so that no time below contains it.
  await (await fetch(address)).arrayBuffer();
  const result = await lighthouse(address, {
    port: chrome.port,
    output: 'json',
    logLevel: 'error',
    // A page for wrong addresses comes with 404.
    ignoreStatusCode: path === notFound,
    onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
  });
  if (!result) throw new Error(`Lighthouse said nothing about ${path}`);
  const { runtimeError } = result.lhr;
  if (runtimeError) {
    // Now and then the browser paints nothing in time, whatever the page.
    if (!isAgain) return measure(path, true);
    throw new Error(`${path}: ${runtimeError.code}: ${runtimeError.message}`);
  }
  const { categories, audits } = result.lhr;
  const score = (name) => Math.round((categories[name].score ?? 0) * 100);
  const failed = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9)
      .map(({ id }) => id),
  );
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    practices: score('best-practices'),
    seo: score('seo'),
    lcp: Math.round(audits['largest-contentful-paint'].numericValue),
    tbt: Math.round(audits['total-blocking-time'].numericValue),
    tbtCpu: Math.round(tbtCpu(result.artifacts.Trace.traceEvents, address)),
    cls: Math.round(audits['cumulative-layout-shift'].numericValue * 1000) / 1000,
    failed,
  };
}

// The same blocking time in processor time: what tasks after the first paint have above 50 ms, on a processor four times
// slower. Lighthouse's is of the clock, with what a task waited for a processor that other programs had.
function tbtCpu(events, address) {
  const last = (name, isIt) =>
    events.findLast((event) => event.name === name && isIt(event)) ??
    fail(`the trace of ${address} has no ${name}`);
  const { pid, tid, args } = last(
    'navigationStart',
    (event) => event.args.data?.documentLoaderURL === address,
  );
  const paint = last(
    'firstContentfulPaint',
    (event) => event.pid === pid && event.args.frame === args.frame,
  );
  const tasks = events.filter(
    ({ name, ph, ts, ...event }) =>
      ph === 'X' && name === 'RunTask' && event.pid === pid && event.tid === tid && ts > paint.ts,
  );
  if (!tasks.some(({ tdur }) => tdur)) fail(`the trace of ${address} has no processor times`);
  return tasks
    .map(({ tdur = 0 }) => Math.max(0, (tdur / 1000) * SLOWDOWN - BLOCKING_MS))
    .reduce((sum, excess) => sum + excess, 0);
}

function fail(message) {
  throw new Error(message);
}
