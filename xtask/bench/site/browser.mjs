// What a site costs in a browser.
//
//   node browser.mjs DIST PAGES.json [PREFIX]
//
// PAGES.json lists the Markdown files of the site; some pages spread over it are measured, the same ones in every site. CPU time is that
// of the main thread alone, so other work of the machine counts little. SIFTWREN_CHROMIUM names the browser. Prints JSON: what could not
// be measured is null there, and `failures` says why.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { fileOf, pageOf, serve } from './serve.mjs';

const [dist, list, prefix = ''] = process.argv.slice(2);
/** How many pages are measured. */
const SAMPLE = 3;
/** How many links are followed from each, one after the other. */
const CLICKS = 3;
/** What loads in so long after the load event without anybody touching the page counts as loaded when idle. */
const IDLE_MS = 5000;
/** How long a page has to show its heading after a click, and to load what it loads with it. */
const NAVIGATION_MS = 3000;
/** Enough of both for what is asked for to be asked for. */
const IDLE_QUICK_MS = 1500;
const NAVIGATION_QUICK_MS = 500;
/** A phone's processor beside that of this machine. */
const SLOWER = 4;
const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const files = JSON.parse(await readFile(list, 'utf8'));
const failures = [];
const server = await serve(dist);
const browser = await chromium.launch({
  executablePath: process.env.SIFTWREN_CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  console.log(JSON.stringify({ ...(await attempt('pages', measure)), failures }));
} finally {
  await browser.close();
  await server.close();
}

async function measure() {
  const pages = await sample();
  const loads = await attempt('load', () => each(pages, load));
  // The files that navigations ask for are compressed now, so that no time below contains it.
  await attempt('navigations beforehand', () => each(pages, (page) => navigations(page, CLICKS, true, true)));
  const first = await attempt('first navigation', () => each(pages, (page) => navigations(page, 1, false)));
  const later = await attempt('further navigations', async () =>
    (await each(pages, (page) => navigations(page, CLICKS, true))).map((moves) => moves.slice(1)),
  );
  const longest = await attempt('longest task', () => each(pages, longestTask));
  return {
    html: median(loads, 'html'),
    blocking: median(loads, 'blocking'),
    bytes: median(loads, 'bytes'),
    requests: median(loads, 'requests'),
    idleBytes: median(loads, 'idleBytes'),
    script: median(loads, 'script'),
    scriptRaw: median(loads, 'scriptRaw'),
    idleScriptRaw: median(loads, 'idleScriptRaw'),
    cpu: median(loads, 'cpu'),
    idleCpu: median(loads, 'idleCpu'),
    longestTask: median(longest, 'ms'),
    navigationBytes: median(first?.flat(), 'bytes'),
    navigationMs: median(first?.flat(), 'ms'),
    navigationPaintedMs: median(first?.flat(), 'paintedMs'),
    laterNavigationBytes: median(later?.flat(), 'bytes'),
    laterNavigationMs: median(later?.flat(), 'ms'),
    laterNavigationPaintedMs: median(later?.flat(), 'paintedMs'),
    withoutScript: await attempt('without JavaScript', () => withoutScript(pages[1])),
    offline: await attempt('offline', () => offline(pages)),
    axe: await attempt('axe', () => accessibility(pages[1])),
  };
}

/** One figure, or null and the reason: the other figures stand without it. */
async function attempt(what, work) {
  try {
    return await work();
  } catch (error) {
    failures.push({ what, reason: error.message.split('\n')[0] });
    // What it left open would be measured with the next figure.
    for (const context of browser.contexts()) await context.close();
    return null;
  }
}

/** One page after the other: two at once would disturb each other. */
async function each(pages, work) {
  const results = [];
  for (const page of pages) results.push(await work(page));
  return results;
}

/** Pages spread over the site, each with pages beside it. */
async function sample() {
  const wanted = [];
  for (let index = 1; index <= SAMPLE; index += 1) {
    const at = Math.floor((files.length * index) / (SAMPLE + 1));
    // Its neighbours are pages of the same folder: every site links to those. First those that follow.
    const near = [...files.slice(at + 1), ...files.slice(0, at).reverse()]
      .filter((file) => folder(file) === folder(files[at]))
      .slice(0, CLICKS);
    const page = { path: await pathOf(files[at]), next: await each(near, pathOf) };
    // Compressed now, so that no time below contains it.
    for (const path of [page.path, ...page.next]) await (await fetch(server.origin + path)).arrayBuffer();
    wanted.push(page);
  }
  return wanted;
}

function folder(file) {
  return file.split('/').slice(0, -1).join('/');
}

/** Where the site shows a Markdown file. */
async function pathOf(file) {
  const path = await pageOf(dist, `${prefix}/${file.replace(/\.md$/, '')}`);
  if (path === null) throw new Error(`${dist} has no page for ${file}`);
  return path;
}

async function open({ offline = false, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: offline ? 'allow' : 'block',
    ...options,
  });
  return { context, page: await context.newPage() };
}

async function load({ path }) {
  const file = await fileOf(dist, path);
  const raw = await readFile(file);
  const { context, page } = await open();
  const session = await context.newCDPSession(page);
  const network = new Map();
  session.on('Network.responseReceived', ({ requestId, type }) => network.set(requestId, { type, bytes: 0 }));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const entry = network.get(requestId);
    if (entry) entry.bytes = encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(server.origin + path, { waitUntil: 'load' });
  const atLoad = await state();
  await page.waitForTimeout(IDLE_MS);
  const whenIdle = await state();
  const blocking = await page.evaluate(
    () => 1 + performance.getEntriesByType('resource').filter((entry) => entry.renderBlockingStatus === 'blocking').length,
  );
  await context.close();
  const executed = await executedScripts(path);
  return {
    html: brotliCompressSync(raw).length,
    blocking,
    bytes: atLoad.bytes,
    requests: atLoad.requests,
    script: atLoad.script,
    cpu: atLoad.cpu,
    idleBytes: whenIdle.bytes,
    idleCpu: whenIdle.cpu,
    ...executed,
  };

  async function state() {
    const { metrics } = await session.send('Performance.getMetrics');
    const all = [...network.values()];
    const sum = (entries) => entries.reduce((total, { bytes }) => total + bytes, 0);
    return {
      bytes: sum(all),
      requests: all.length,
      script: sum(all.filter(({ type }) => type === 'Script')),
      cpu: metrics.find(({ name }) => name === 'TaskDuration').value * 1000,
    };
  }
}

/** Characters of the scripts that were compiled, inline ones too; what is only fetched ahead does not count. */
async function executedScripts(path) {
  const { context, page } = await open();
  const session = await context.newCDPSession(page);
  let characters = 0;
  session.on('Debugger.scriptParsed', ({ url, length }) => {
    if (url.startsWith(server.origin)) characters += length;
  });
  await session.send('Debugger.enable');
  await page.goto(server.origin + path, { waitUntil: 'load' });
  const scriptRaw = characters;
  await page.waitForTimeout(IDLE_MS);
  await context.close();
  return { scriptRaw, idleScriptRaw: characters };
}

/**
 * Follows links, one after the other: from each click to the frame that has the other page's heading, and to its end. A reader who is there has moved the
 * pointer over the page, and stays until nothing is done any more: what a site loads for such a reader is there before the click.
 */
async function navigations({ path, next }, count, isReaderThere, isQuick = false) {
  const [idle, navigation] = isQuick ? [IDLE_QUICK_MS, NAVIGATION_QUICK_MS] : [IDLE_MS, NAVIGATION_MS];
  const { context, page } = await open();
  const headings = [];
  await page.exposeBinding('benchHeading', (_source, text, time) => headings.push({ text, time }));
  await page.addInitScript(() => {
    let last = null;
    const now = () => performance.timeOrigin + performance.now();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.benchHeading('(painted)', now());
    const look = () => {
      const text = document.querySelector('main h1, article h1, h1')?.textContent?.trim() ?? null;
      if (text && text !== last) {
        last = text;
        window.benchHeading(text, now());
        // Styles, layout and paint of this frame come before it.
        port2.postMessage(null);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    addEventListener('click', () => {
      window.benchHeading('(click)', now());
    }, true);
  });
  await page.goto(server.origin + path, { waitUntil: 'load' });
  await page.waitForTimeout(idle);
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  const moves = [];
  for (const wanted of next.slice(0, count)) {
    if (isReaderThere) {
      await page.mouse.move(640, 400);
      await page.waitForTimeout(idle);
    }
    bytes = 0;
    headings.length = 0;
    const link = await linkTo(page, wanted);
    await link.scrollIntoViewIfNeeded();
    await link.click();
    await page.waitForTimeout(navigation);
    const clicked = headings.findIndex(({ text }) => text === '(click)');
    const shown = headings[clicked + 1];
    if (clicked < 0 || !shown) throw new Error(`${page.url()}: no new heading after a click on the link to ${wanted}`);
    const painted = headings.slice(clicked + 2).find(({ text }) => text === '(painted)');
    if (!painted) throw new Error(`${page.url()}: no frame after a click on the link to ${wanted}`);
    const since = ({ time }) => time - headings[clicked].time;
    moves.push({ bytes, ms: since(shown), paintedMs: since(painted) });
  }
  await context.close();
  return moves;
}

async function linkTo(page, path) {
  const index = await page.evaluate((wanted) => {
    const plain = (url) => new URL(url, document.baseURI).pathname.replace(/(\.html|\/)$/, '').toLowerCase();
    return [...document.querySelectorAll('a[href]')].findIndex(
      (link) => plain(link.href) === plain(wanted) && link.checkVisibility() && link.getBoundingClientRect().width > 0,
    );
  }, path);
  if (index < 0) throw new Error(`${page.url()} has no visible link to ${path}`);
  return page.locator('a[href]').nth(index);
}

/** The longest task of the main thread in a page that nobody touches, on a slower processor. Tasks below 50 ms are not told: 0. */
async function longestTask({ path }) {
  const { context, page } = await open();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(() => {
    window.benchLongestTask = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        window.benchLongestTask = Math.max(window.benchLongestTask, duration);
      }
    }).observe({ type: 'longtask', buffered: true });
  });
  await page.goto(server.origin + path, { waitUntil: 'load' });
  await page.waitForTimeout(IDLE_MS);
  const ms = await page.evaluate(() => window.benchLongestTask);
  await context.close();
  return { ms };
}

async function withoutScript({ path }) {
  const { context, page } = await open({ javaScriptEnabled: false });
  await page.goto(server.origin + path);
  const found = await page.evaluate((origin) => ({
    characters: (document.querySelector('main, article') ?? document.body).innerText.length,
    links: new Set(
      [...document.querySelectorAll('a[href]')]
        .filter((link) => link.checkVisibility() && link.href.startsWith(origin))
        .map((link) => link.href.replace(/#.*/, '')),
    ).size,
  }), server.origin);
  await context.close();
  return found;
}

/** Visits one page, goes offline, and opens another one that was never seen. */
async function offline([{ path }, other]) {
  const heading = await headingOf(other.path);
  const before = server.sent();
  const { context, page } = await open({ offline: true });
  await page.goto(server.origin + path, { waitUntil: 'load' });
  // Nothing sent for some seconds: what is stored is stored.
  let last = -1;
  for (let seconds = 0; seconds < 40 && (last !== server.sent() || seconds < 12); seconds += 4) {
    last = server.sent();
    await page.waitForTimeout(4000);
  }
  const bytes = server.sent() - before;
  await context.setOffline(true);
  const opened = await page.goto(server.origin + other.path).then(
    (response) => response?.ok() ?? false,
    () => false,
  );
  // A page that says that there is no network has a heading too.
  const works = opened && (await page.locator('h1').first().textContent()) === heading;
  await context.close();
  return { works, bytes };
}

async function headingOf(path) {
  const { context, page } = await open();
  await page.goto(server.origin + path);
  const heading = await page.locator('h1').first().textContent();
  await context.close();
  return heading;
}

/** Violations of WCAG 2.2 A and AA in both themes, and with the search open. */
async function accessibility({ path }) {
  const { context, page } = await open({ bypassCSP: true, reducedMotion: 'reduce' });
  const rules = new Set();
  let elements = 0;
  const audit = async (where) => {
    await page.evaluate(axeSource);
    const violations = await page.evaluate(async () => {
      const { violations } = await globalThis.axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      });
      return violations.map(({ id, nodes }) => ({ id, count: nodes.length }));
    });
    for (const { id, count } of violations) {
      rules.add(`${id} (${where})`);
      elements += count;
    }
  };
  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    await page.goto(server.origin + path, { waitUntil: 'load' });
    await page.waitForTimeout(1000);
    await audit(colorScheme);
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(1500);
    await page.keyboard.type('command');
    await page.waitForTimeout(1500);
    await audit(`${colorScheme}, search`);
  }
  await context.close();
  return { rules: [...rules].sort(), elements };
}

function median(entries, name) {
  const values = (entries ?? []).map((entry) => entry[name]).sort((a, b) => a - b);
  return values.length === 0 ? null : Math.round(values[Math.floor(values.length / 2)] * 10) / 10;
}
