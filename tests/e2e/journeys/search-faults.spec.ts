/**
 * The search with a server that misbehaves on real sockets, in both themes and all layouts: never a
 * blank screen, never an uncaught error, never an older answer over a newer one.
 */
import { environment } from '../support/environment.js';
import {
  type Answer,
  cutShort,
  FaultServer,
  html,
  json,
  late,
  reset,
  silence,
  text,
  trickle,
} from '../support/faultServer.js';
import { expect, test } from '../support/fixtures.js';
import { inEveryLook } from '../support/looks.js';
import { addressOf } from '../support/searchModal.js';

// The browser reports what it could not load, and the search why it turns to its own index.
test.use({ expectedErrors: /net::ERR_|status of \d+|siftwren: live (search|results)/ });

const RETRIEVE = /\/retrieve$/;

function row(header_1: string, url = '/docs/metrics/recall') {
  return { item_id: header_1, url, folder: 'Answers', header_1 };
}

const right = JSON.stringify({ metadata: [row('Right')] });
const HOSTILE = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://elsewhere.example/1',
  'file:///etc/passwd',
  'https://elsewhere.example/docs',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '/\t/elsewhere.example',
  '\\\\elsewhere.example',
  'https:elsewhere.example',
  'http://127.0.0.1@elsewhere.example/',
  '/docs/../..//elsewhere.example',
  '/%5Celsewhere.example',
  '.',
  '?',
  '#',
];

/** What a fault comes to: results of the index, no results, or results of the platform. */
const FAULTS: [string, Answer, 'offline' | 'none' | 'live'][] = [
  ['a connection that is reset', reset, 'offline'],
  ['no answer at all', silence, 'offline'],
  ['a byte a second', trickle(right), 'offline'],
  ['an answer that ends too early', cutShort(right), 'offline'],
  ['HTML in place of JSON', html, 'offline'],
  ['HTML with status 502', text('<h1>Bad gateway</h1>', 'text/html', 502), 'offline'],
  ['an empty answer', text(''), 'offline'],
  ['a million entries', json({ metadata: Array(1_000_000).fill(row('Many')) }), 'offline'],
  ['a million numbers', json({ metadata: Array(1_000_000).fill(7) }), 'none'],
  ['a list ten thousand levels deep', text('['.repeat(10_000) + ']'.repeat(10_000)), 'none'],
  [
    'wrong types',
    json({ metadata: [1, null, [], { url: 1 }, { url: ['x'] }, { url: {}, folder: 9 }] }),
    'none',
  ],
  ['metadata that is no list', json({ metadata: { 0: row('Zero'), length: 1 } }), 'none'],
  [
    'wrong types beside a right url',
    json({ metadata: [{ ...row('x'), folder: {}, header_1: 5, header_2: [], body: null }] }),
    'live',
  ],
  ['hostile urls', json({ metadata: [...HOSTILE.map((url) => row('Bad', url)), row('Good')] }), 'live'],
];

let platformFault: FaultServer;
test.beforeEach(async ({ page, platform }) => {
  await platform.stop();
  platformFault = new FaultServer(null);
  page.on('dialog', (dialog) => {
    throw new Error(`a dialog was opened: ${dialog.message()}`);
  });
  await page.goto('/docs/overview/quickstart');
});
test.afterEach(() => platformFault.stop());

inEveryLook(() => {
  test('whatever the platform does', async ({ page, search }) => {
    test.setTimeout(120_000);
    const { dialog } = search;

    await test.step('refused', async () => {
      await search.open();
      await search.searchFor('precision');
      await search.expectHits('offline');
    });
    await platformFault.start(environment.SIFTWREN_TEST_PLATFORM);

    for (const [what, answer, outcome] of FAULTS) {
      await test.step(what, async () => {
        platformFault.fault(RETRIEVE, answer);
        // Opening it anew ends the rest that a host gets after it could not be reached.
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
        await search.open();
        await search.searchFor('precision');
        if (outcome === 'none') {
          await expect(dialog.getByText('No results for “precision”').first()).toBeVisible();
        } else {
          await search.expectHits(outcome);
        }
        for (const option of await search.options.all()) {
          const { origin, protocol } = await addressOf(option);
          expect(origin).toBe(new URL(page.url()).origin);
          expect(protocol).toBe('http:');
        }

        platformFault.fault(RETRIEVE, json({ metadata: [row('Newer')] }));
        await page.keyboard.press('Escape');
        await search.open();
        await search.searchFor('newer');
        await expect(search.options).toHaveText([/Newer/]);
      });
    }
  });

  test('a late answer to an older query, right or wrong, changes nothing', async ({
    page,
    search,
  }) => {
    await platformFault.start(environment.SIFTWREN_TEST_PLATFORM);
    for (const older of [json({ metadata: [row('Older')] }), html, reset]) {
      platformFault.fault(RETRIEVE, (incoming, response) => {
        let body = '';
        incoming.on('data', (chunk: Buffer) => {
          body += chunk.toString('utf8');
        });
        incoming.on('end', () => {
          const answer = body.includes('older') ? late(400, older) : json({ metadata: [row('Newer')] });
          answer(incoming, response);
        });
      });
      await search.open();
      await search.searchFor('older');
      await expect.poll(() => platformFault.requests.some((line) => line.startsWith('POST'))).toBe(true);
      await search.searchFor('newer');
      await expect(search.options).toHaveText([/Newer/]);
      await page.waitForTimeout(600);
      await expect(search.options).toHaveText([/Newer/]);
      await page.keyboard.press('Escape');
      await expect(search.dialog).toBeHidden();
    }
  });
});
