/** A page that arrives piece by piece, as on a slow line or a slow processor: what comes later moves nothing of what is shown. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { environment, SITE_ORIGIN } from '../support/environment.js';
import { expect, test } from '../support/fixtures.js';

const MISSING = '/docs/no-such-page';
const PAGES = ['/', '/docs/metrics/ndcg', '/docs/api/datasets', '/docs/a-z', MISSING];
/** Pieces begin with what stands beside, above or below something else. */
const PIECES = /(?=<(?:nav|footer|section id|div id=":menu"|li data-tool)\b)|(?<=<\/a><\/li>)(?=<li><a href="[^"]*"><svg)/;

let server: Server;
let origin: string;
/** The last piece of a page waits for it. */
let shown: Promise<void>;

test.beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '/';
    const serve = PAGES.includes(path) ? piecewise(path) : whole(path);
    serve.then(
      async ({ type, pieces }) => {
        response.setHeader('content-type', type);
        for (const [number, piece] of pieces.entries()) {
          if (number > 0 && number === pieces.length - 1) await shown;
          response.write(piece);
          // More than a frame.
          if (pieces.length > 1) await pause(50);
        }
        response.end();
      },
      (error: unknown) => response.destroy(error as Error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterAll(() => new Promise((resolve) => server.close(resolve)));

async function piecewise(path: string) {
  const file = path === MISSING ? '404.html' : join(path, 'index.html');
  const html = readFileSync(join(environment.SIFTWREN_TEST_DIST, file), 'utf8');
  return { type: 'text/html; charset=utf-8', pieces: html.split(PIECES) };
}

async function whole(path: string) {
  const answer = await fetch(SITE_ORIGIN + path);
  const type = answer.headers.get('content-type') ?? 'application/octet-stream';
  return { type, pieces: [Buffer.from(await answer.arrayBuffer())] };
}

for (const width of [375, 996, 1440]) {
  for (const path of PAGES) {
    test(`${path} at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.addInitScript(() => {
        const moved: string[] = [];
        Object.assign(window, { moved });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { sources } = entry as PerformanceEntry & { sources: { node: Element | null }[] };
            moved.push(...sources.map(({ node }) => (node?.outerHTML ?? String(node)).slice(0, 120)));
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      let showLast = () => {};
      shown = new Promise((resolve) => {
        showLast = resolve;
      });
      await page.goto(origin + path, { waitUntil: 'commit' });
      await expect.poll(() => page.evaluate(isPainted), 'it is shown while it arrives').toBe(true);
      showLast();
      await page.waitForLoadState();
      await page.waitForTimeout(200);
      expect(
        await page.evaluate(() => (window as unknown as { moved: string[] }).moved),
      ).toEqual([]);
    });
  }
}

function isPainted(): boolean {
  return performance.getEntriesByName('first-contentful-paint').length > 0;
}
