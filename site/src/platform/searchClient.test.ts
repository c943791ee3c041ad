// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSearchClient, type SearchClientOptions } from './searchClient';
import { createSearchHandler, type SearchCore } from './searchHandler';
import type { PortEvents, SearchPort } from './searchPort';

/** The smallest module there is: magic and version. */
const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const INDEX = new Uint8Array([1, 2, 3]);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function hit(id: string) {
  return {
    objectID: id,
    url: `/${id}`,
    pathname: `/${id}`,
    hash: '',
    hierarchy: { lvl0: 'Docs', lvl1: id },
    content: '',
    type: 'content',
    score: 1,
    marks: { lvl0: [], lvl1: [{ start: 0, end: 1 }], content: [] },
  };
}

/** A core that answers each query with one hit of its name, and traps on the query 'trap'. */
function createCore(): SearchCore {
  let poisoned = false;
  return {
    initSync() {},
    SearchEngine: class {
      constructor(index: Uint8Array) {
        if (index[0] === 0) {
          throw Object.assign(new Error('checksum differs'), { code: 'index_checksum_mismatch' });
        }
      }
      search(query: string) {
        if (query === 'refused') {
          throw Object.assign(new Error('not like this'), { code: 'refused' });
        }
        if (query === 'trap' || poisoned) {
          poisoned = true;
          throw new WebAssembly.RuntimeError('unreachable');
        }
        return [hit(query)];
      }
    },
    mapHits: (metadata) => metadata.map((_, index) => hit(`row${index}`)),
  };
}

interface Harness {
  options: SearchClientOptions;
  /** Workers started so far. */
  ports: { ended: boolean; events: PortEvents; posted: number }[];
  fetched: string[];
  /** Replies are held back until `release`. */
  hold: boolean;
  release(): void;
  respond: (url: string) => Promise<Response> | Response;
}

function harness(): Harness {
  let held: (() => void)[] = [];
  const self: Harness = {
    ports: [],
    fetched: [],
    hold: false,
    release() {
      const replies = held;
      held = [];
      for (const reply of replies) {
        reply();
      }
    },
    respond: (url) => new Response(url.endsWith('.wasm') ? EMPTY_MODULE : INDEX),
    options: {
      wasmUrl: '/core.wasm',
      indexUrl: '/index.bin',
      siteRoot: '/',
      limit: 10,
      loadTimeoutMs: 30_000,
      replyTimeoutMs: 5_000,
      fetch: async (input) => {
        self.fetched.push(String(input));
        return self.respond(String(input));
      },
      startWorker(events): SearchPort {
        const handle = createSearchHandler(createCore());
        const port = { ended: false, events, posted: 0 };
        self.ports.push(port);
        return {
          post(request) {
            port.posted += 1;
            const reply = () => port.ended || events.onReply(handle(structuredClone(request)));
            if (self.hold && request.kind === 'search') {
              held.push(reply);
            } else {
              queueMicrotask(reply);
            }
          },
          end() {
            port.ended = true;
          },
        };
      },
    },
  };
  return self;
}

function names(outcome: Awaited<ReturnType<ReturnType<typeof createSearchClient>['search']>>) {
  return outcome.status === 'answered' ? outcome.hits.map((found) => found.objectID) : outcome;
}

test('the first search fetches module and index once, the next ones nothing', async () => {
  const rig = harness();
  const client = createSearchClient(rig.options);
  expect(names(await client.search('one', 10))).toEqual(['one']);
  expect(names(await client.search('two', 10))).toEqual(['two']);
  expect(rig.fetched.sort()).toEqual(['/core.wasm', '/index.bin']);
  expect(rig.ports).toHaveLength(1);
});

test('mapping a live answer needs no index', async () => {
  const rig = harness();
  const client = createSearchClient(rig.options);
  expect(names(await client.mapHits([{}, {}], 'q', 10))).toEqual(['row0', 'row1']);
  expect(rig.fetched).toEqual(['/core.wasm']);
});

test('warming fetches everything before the first search', async () => {
  const rig = harness();
  const client = createSearchClient(rig.options);
  await client.warm('ranking');
  const before = rig.fetched.length;
  await client.search('one', 10);
  expect(rig.fetched).toHaveLength(before);
});

describe('the newest query wins', () => {
  test('of queries typed while the index loads only the last reaches the worker', async () => {
    const rig = harness();
    const client = createSearchClient(rig.options);
    const outcomes = await Promise.all(['n', 'nd', 'ndc', 'ndcg'].map((q) => client.search(q, 10)));
    expect(outcomes.map(names)).toEqual([
      { status: 'superseded' },
      { status: 'superseded' },
      { status: 'superseded' },
      ['ndcg'],
    ]);
    expect(rig.ports[0]?.posted).toBe(3); // start, open, one search
  });

  test('an answer under way is dropped when a newer query arrives', async () => {
    const rig = harness();
    const client = createSearchClient(rig.options);
    await client.warm('ranking');
    rig.hold = true;
    const older = client.search('older', 10);
    await vi.advanceTimersByTimeAsync(0);
    const newer = client.search('newer', 10);
    rig.hold = false;
    rig.release();
    expect(names(await older)).toEqual({ status: 'superseded' });
    expect(names(await newer)).toEqual(['newer']);
  });
});

test('queries typed while one is in the worker do not queue up behind it', async () => {
  const rig = harness();
  const client = createSearchClient(rig.options);
  await client.warm('ranking');
  rig.hold = true;
  const first = client.search('n', 10);
  await vi.advanceTimersByTimeAsync(0);
  const rest = [];
  for (const query of ['nd', 'ndc', 'ndcg']) {
    rest.push(client.search(query, 10));
    await vi.advanceTimersByTimeAsync(0);
  }
  rig.hold = false;
  rig.release();
  await Promise.all([first, ...rest]);
  expect(rig.ports[0]?.posted).toBe(4); // start, open, the first and the last search
});

describe('a broken instance', () => {
  test('ends with its trap; the next query is answered by a new one, without the network', async () => {
    const rig = harness();
    const client = createSearchClient(rig.options);
    expect(await client.search('trap', 10)).toMatchObject({ status: 'failed', reason: 'crashed' });
    expect(rig.ports[0]?.ended).toBe(true);
    expect(names(await client.search('fine', 10))).toEqual(['fine']);
    expect(rig.fetched).toHaveLength(2);
  });

  test('a thousand traps in one session do not stop the next query', async () => {
    const rig = harness();
    const client = createSearchClient(rig.options);
    for (let round = 0; round < 1_000; round += 1) {
      await client.search('trap', 10);
    }
    expect(names(await client.search('fine', 10))).toEqual(['fine']);
    expect(rig.ports.filter((port) => !port.ended)).toHaveLength(1);
  });

  test('that hangs is ended after a while', async () => {
    const rig = harness();
    const client = createSearchClient(rig.options);
    await client.warm('ranking');
    rig.hold = true;
    const hung = client.search('hung', 10);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await hung).toMatchObject({ status: 'failed', reason: 'crashed' });
    rig.hold = false;
    expect(names(await client.search('fine', 10))).toEqual(['fine']);
  });

  test('a worker that crashes on its own is replaced', async () => {
    const rig = harness();
    const client = createSearchClient(rig.options);
    await client.warm('ranking');
    rig.ports[0]?.events.onCrash('out of memory');
    expect(names(await client.search('fine', 10))).toEqual(['fine']);
    expect(rig.ports).toHaveLength(2);
  });

  test('an error that the core itself names keeps the instance', async () => {
    const rig = harness();
    const client = createSearchClient(rig.options);
    expect(await client.search('refused', 10)).toEqual({
      status: 'failed',
      reason: 'refused',
      detail: 'refused: not like this',
    });
    await client.search('fine', 10);
    expect(rig.ports).toHaveLength(1);
  });

  test('a worker that cannot be started is a failure, not an exception', async () => {
    const rig = harness();
    const client = createSearchClient({
      ...rig.options,
      startWorker() {
        throw new TypeError('refused by policy');
      },
    });
    expect(await client.search('q', 10)).toEqual({
      status: 'failed',
      reason: 'crashed',
      detail: 'refused by policy',
    });
  });
});

describe('loading', () => {
  const cases: [string, string, (url: string) => Promise<Response> | Response][] = [
    ['unreachable', 'the network is off', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['http', 'the file is not there', () => new Response('', { status: 404 })],
    [
      'module',
      'the module is HTML',
      (url) => new Response(url.endsWith('.wasm') ? '<html>' : INDEX),
    ],
    [
      'index',
      'the index is damaged',
      (url) => new Response(url.endsWith('.wasm') ? EMPTY_MODULE : new Uint8Array([0])),
    ],
  ];

  test.each(cases)(
    'fails as "%s" when %s, and works with the next call',
    async (reason, _, respond) => {
      const rig = harness();
      const good = rig.respond;
      rig.respond = respond;
      const client = createSearchClient(rig.options);
      expect(await client.search('q', 10)).toMatchObject({ status: 'failed', reason });
      rig.respond = good;
      expect(names(await client.search('q', 10))).toEqual(['q']);
    },
  );

  test('says which file did not come', async () => {
    const rig = harness();
    rig.respond = () => new Response('', { status: 404 });
    const outcome = await createSearchClient(rig.options).mapHits([], 'q', 10);
    expect(outcome).toMatchObject({ detail: '/core.wasm: status 404' });
  });
});
