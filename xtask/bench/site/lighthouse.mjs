// The four categories of Lighthouse, as a phone on a slow network sees them.
//
//   node lighthouse.mjs DIST PATH...
//
// SIFTWREN_CHROMIUM names the browser. Prints a JSON list, an entry a path.
import lighthouse from 'lighthouse';
import { launch } from 'chrome-launcher';
import { fileOf, serve } from './serve.mjs';

const [dist, ...paths] = process.argv.slice(2);
const server = await serve(dist);
const chrome = await launch({
  chromePath: process.env.SIFTWREN_CHROMIUM || '/usr/bin/chromium',
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'],
});
try {
  const results = [];
  for (const path of paths) results.push(await measure(path));
  console.log(JSON.stringify(results));
} finally {
  chrome.kill();
  await server.close();
}

async function measure(path) {
  const address = await addressOf(path);
  // Compressed now, so that no time below contains it.
  await (await fetch(address)).arrayBuffer();
  const result = await lighthouse(address, {
    port: chrome.port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
  });
  if (!result) throw new Error(`Lighthouse said nothing about ${path}`);
  const { categories, audits } = result.lhr;
  const score = (name) => Math.round((categories[name].score ?? 0) * 100);
  const failed = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9)
      .map(({ id }) => id),
  );
  return {
    path,
    performance: score('performance'),
    accessibility: score('accessibility'),
    practices: score('best-practices'),
    seo: score('seo'),
    lcp: Math.round(audits['largest-contentful-paint'].numericValue),
    tbt: Math.round(audits['total-blocking-time'].numericValue),
    cls: Math.round(audits['cumulative-layout-shift'].numericValue * 1000) / 1000,
    failed,
  };
}

async function addressOf(path) {
  for (const spelling of [path, path.toLowerCase()]) {
    const file = await fileOf(dist, spelling);
    if (file) return server.origin + (file.endsWith(`${spelling}.html`) ? `${spelling}.html` : spelling);
  }
  throw new Error(`${dist} has no page at ${path}`);
}
