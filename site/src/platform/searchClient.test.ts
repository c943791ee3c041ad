// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSearchClient, type SearchClientOptions } from './searchClient';
import { createSearchHandler, type SearchCore } from './searchHandler';
import type { PortEvents, SearchPort } from './searchPort';

/** The smallest module there is: magic and version. */
const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const INDEX = new Uint8Array([1, 2, 3]);
const NAME = '/search.json';
const CORE = '/assets/search/core.00000000.bin';

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

const TERMS = 't0.0000000a.bin';
const NAMES = 'n0.0000000b.bin';
const VECTORS = 'v0.0000000c.bin';

function damaged(code: string) {
  return Object.assign(new Error('checksum differs'), { code });
}

/**
 * A core that answers each query with one hit of its name, and traps on the query 'trap'. With
 * `needs` an answer needs these files one after the other, the refined one `VECTORS` as well.
 */
function createCore(needs: readonly string[]): SearchCore {
  let poisoned = false;
  return {
    initSync() {},
    SearchEngine: class {
      readonly #loaded = new Set<string>();
      constructor(index: Uint8Array) {
        if (index[0] === 0) {
          throw damaged('index_checksum_mismatch');
        }
      }
      load(name: string, bytes: Uint8Array) {
        if (bytes[0] === 0) {
          throw damaged('index_checksum_mismatch');
        }
        this.#loaded.add(name);
      }
      search(query: string, _limit: number, _snippetWords: number, semantic: boolean) {
        if (query === 'refused') {
          throw Object.assign(new Error('not like this'), { code: 'refused' });
        }
        if (query === 'trap' || poisoned) {
          poisoned = true;
          throw new WebAssembly.RuntimeError('unreachable');
        }
        if (query === 'endless') {
          return { status: 'needs' as const, files: [TERMS] };
        }
        if (query === 'escape') {
          return { status: 'needs' as const, files: ['../secret'] };
        }
        const wanted = semantic && needs.length > 0 ? [...needs, VECTORS] : needs;
        const missing = wanted.find((name) => !this.#loaded.has(name));
        return missing === undefined
          ? { status: 'ready' as const, hits: [hit(semantic ? `${query}+` : query)] }
          : { status: 'needs' as const, files: [missing] };
      }
      alternatives(query: string, semantic: boolean) {
        const wanted = semantic ? [TERMS, VECTORS] : needs.slice(0, 1);
        const missing = wanted.filter((name) => !this.#loaded.has(name));
        return missing.length === 0
          ? {
              status: 'ready' as const,
              queries: [`${query}s`, 7, 'b', 'c', 'd', 'e'],
              pages: semantic ? [{ title: 'Near', pathname: '/near' }, { title: 'No path' }] : [],
            }
          : { status: 'needs' as const, files: missing };
      }
      hasVectors() {
        return needs.length > 0;
      }
      keepAtMost() {}
      free() {}
    },
    mapHits: (metadata) => metadata.map((_, index) => hit(`row${index}`)),
  };
}

interface Harness {
  options: SearchClientOptions;
  /** Workers started so far. */
  ports: { ended: boolean; events: PortEvents; posted: number }[];
  fetched: string[];
  /** What the client told the console. */
  news: string[];
  /** Replies are held back until `release`. */
  hold: boolean;
  release(): void;
  respond: (url: string, init: RequestInit) => Promise<Response> | Response;
}

/** As a server with the whole site does. */
function answer(url: string): Response {
  if (url === NAME) return Response.json({ index: CORE });
  return new Response(url.endsWith('.wasm') ? EMPTY_MODULE : INDEX);
}

function harness(needs: readonly string[] = []): Harness {
  let held: (() => void)[] = [];
  const self: Harness = {
    ports: [],
    fetched: [],
    news: [],
    hold: false,
    release() {
      const replies = held;
      held = [];
      for (const reply of replies) {
        reply();
      }
    },
    respond: answer,
    options: {
      wasmUrl: '/core.wasm',
      language: null,
      indexName: NAME,
      indexFolder: '/assets/search/',
      siteRoot: '/',
      limit: 10,
      proposals: 4,
      loadTimeoutMs: 30_000,
      replyTimeoutMs: 5_000,
      refineAfterMs: 150,
      cooldownMs: 120_000,
      keepBytes: 1_000_000,
      mayRefine: () => true,
      report: (news) => self.news.push(news),
      fetch: async (input, init) => {
        self.fetched.push(String(input));
        return self.respond(String(input), init ?? {});
      },
      startWorker(events): SearchPort {
        const handle = createSearchHandler(createCore(needs));
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
  expect(rig.fetched.sort()).toEqual([CORE, '/core.wasm', NAME]);
  expect(rig.ports).toHaveLength(1);
});

test('another language has an index of its own; one that has none fails and shows no other', async () => {
  const rig = harness();
  const own = CORE.replace('00000000', '0000000f');
  rig.respond = (url) =>
    url === NAME ? Response.json({ index: CORE, languages: { fr: own } }) : answer(url);
  const client = createSearchClient({ ...rig.options, language: 'fr' });
  expect(names(await client.search('un', 10))).toEqual(['un']);
  expect(rig.fetched.sort()).toEqual([own, '/core.wasm', NAME]);
  const other = createSearchClient({ ...rig.options, language: 'de' });
  expect(names(await other.search('eins', 10))).toMatchObject({
    status: 'failed',
    reason: 'index',
  });
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
    expect(rig.fetched).toHaveLength(3);
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
  const cases: [string, string, Harness['respond']][] = [
    ['unreachable', 'the network is off', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['http', 'the file is not there', () => new Response('', { status: 404 })],
    [
      'module',
      'the module is HTML',
      (url) => (url === '/core.wasm' ? new Response('<html>') : answer(url)),
    ],
    [
      'index',
      'the index is damaged',
      (url) => (url === CORE ? new Response(new Uint8Array([0])) : answer(url)),
    ],
    ...(
      [
        ['is HTML', '<html>'],
        ['names nothing', '{}'],
        ['names a file elsewhere', '{"index":"https://else.example/core.00000000.bin"}'],
        ['names a file of another folder', '{"index":"/assets/search/../core.00000000.bin"}'],
      ] as const
    ).map(([what, text]): [string, string, Harness['respond']] => [
      'index',
      `the file that names the index ${what}`,
      (url) => (url === NAME ? new Response(text) : answer(url)),
    ]),
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

describe('an index of many files', () => {
  const NEEDS = [TERMS, NAMES];
  const at = (name: string) => `/assets/search/${name}`;

  test('what a query needs is fetched beside the core, once, and handed to the worker', async () => {
    const rig = harness(NEEDS);
    const client = createSearchClient(rig.options);
    expect(await client.search('one', 10)).toMatchObject({ status: 'answered', isRefinable: true });
    expect(names(await client.search('two', 10))).toEqual(['two']);
    expect(rig.fetched).toEqual(['/core.wasm', NAME, CORE, at(TERMS), at(NAMES)]);
  });

  test('the refined answer fetches its files after a pause, and the next one is refined at once', async () => {
    const rig = harness(NEEDS);
    const client = createSearchClient(rig.options);
    await client.search('one', 10);
    const refined = client.refine('one', 10);
    await vi.advanceTimersByTimeAsync(149);
    expect(rig.fetched).not.toContain(at(VECTORS));
    await vi.advanceTimersByTimeAsync(1);
    expect(names(await refined)).toEqual(['one+']);
    expect(rig.fetched).toContain(at(VECTORS));
    expect(await client.search('two', 10)).toMatchObject({ isRefinable: false });
    expect(names(await client.search('two', 10))).toEqual(['two+']);
  });

  test('a query typed within the pause saves the files of the one before', async () => {
    const rig = harness(NEEDS);
    const client = createSearchClient(rig.options);
    await client.search('one', 10);
    const refined = client.refine('one', 10);
    await client.search('two', 10);
    await vi.advanceTimersByTimeAsync(150);
    expect(await refined).toEqual({ status: 'superseded' });
    expect(rig.fetched).not.toContain(at(VECTORS));
  });

  test('a poor connection gets no second stage', async () => {
    const rig = harness(NEEDS);
    const client = createSearchClient({ ...rig.options, mayRefine: () => false });
    expect(await client.search('one', 10)).toMatchObject({
      status: 'answered',
      isRefinable: false,
    });
  });

  test('a second stage that could not be fetched rests for a while', async () => {
    const rig = harness(NEEDS);
    const { respond } = rig;
    rig.respond = (url, init) =>
      url === at(VECTORS) ? Promise.reject(new TypeError('offline')) : respond(url, init);
    const client = createSearchClient(rig.options);
    await client.search('one', 10);
    const refined = client.refine('one', 10);
    await vi.advanceTimersByTimeAsync(150);
    expect(await refined).toMatchObject({ status: 'failed', reason: 'unreachable' });
    expect(await client.search('two', 10)).toMatchObject({ isRefinable: false });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await client.search('two', 10)).toMatchObject({ isRefinable: true });
  });

  test('a query whose files are slow does not hold up the next one', async () => {
    const rig = harness(NEEDS);
    const client = createSearchClient(rig.options);
    await client.warm('ranking');
    const { respond } = rig;
    let arrive = () => {};
    rig.respond = (url, init) =>
      url === at(TERMS)
        ? new Promise((resolve) => {
            arrive = () => resolve(respond(url, init) as Response);
          })
        : respond(url, init);
    const older = client.search('older', 10);
    await vi.advanceTimersByTimeAsync(0);
    const newer = client.search('newer', 10);
    await vi.advanceTimersByTimeAsync(0);
    expect(rig.fetched.filter((url) => url === at(TERMS))).toHaveLength(1);
    arrive();
    expect(await older).toEqual({ status: 'superseded' });
    expect(names(await newer)).toEqual(['newer']);
  });

  test('what an older query lacks is not fetched any more', async () => {
    const rig = harness(NEEDS);
    const client = createSearchClient(rig.options);
    await client.warm('ranking');
    rig.hold = true;
    const older = client.search('older', 10);
    await vi.advanceTimersByTimeAsync(0);
    const newer = client.search('refused', 10);
    rig.hold = false;
    rig.release();
    expect(await older).toEqual({ status: 'superseded' });
    expect(await newer).toMatchObject({ reason: 'refused' });
    expect(rig.fetched).not.toContain(at(TERMS));
  });

  test.each([
    ['is damaged', () => new Response(new Uint8Array([0]))],
    ['does not come', () => Promise.reject(new TypeError('reset'))],
    ['is answered with an error', () => new Response('', { status: 503 })],
  ])('a file that %s is fetched anew past the caches, once', async (_, fail) => {
    const rig = harness(NEEDS);
    const { respond } = rig;
    rig.respond = (url, init) =>
      url === at(NAMES) && init.cache !== 'reload' ? fail() : respond(url, init);
    const client = createSearchClient(rig.options);
    expect(names(await client.search('one', 10))).toEqual(['one']);
    expect(rig.fetched.filter((url) => url === at(NAMES))).toHaveLength(2);
  });

  test('a damaged core is fetched anew too', async () => {
    const rig = harness(NEEDS);
    const { respond } = rig;
    rig.respond = (url, init) =>
      url === CORE && init.cache !== 'reload'
        ? new Response(new Uint8Array([0]))
        : respond(url, init);
    expect(names(await createSearchClient(rig.options).search('one', 10))).toEqual(['one']);
  });

  test('a file that stays damaged fails the query, and the next query tries again', async () => {
    const rig = harness(NEEDS);
    const { respond } = rig;
    rig.respond = (url, init) =>
      url === at(NAMES) ? new Response(new Uint8Array([0])) : respond(url, init);
    const client = createSearchClient(rig.options);
    expect(await client.search('one', 10)).toMatchObject({ status: 'failed', reason: 'index' });
    rig.respond = respond;
    expect(names(await client.search('one', 10))).toEqual(['one']);
    expect(rig.ports).toHaveLength(1);
  });

  test('after a trap a new engine gets all files without the network', async () => {
    const rig = harness(NEEDS);
    const client = createSearchClient(rig.options);
    await client.search('one', 10);
    await client.search('trap', 10);
    const before = rig.fetched.length;
    expect(names(await client.search('two', 10))).toEqual(['two']);
    expect(rig.ports).toHaveLength(2);
    expect(rig.fetched).toHaveLength(before);
  });

  test('an engine that never has enough is stopped', async () => {
    const rig = harness(NEEDS);
    const outcome = await createSearchClient(rig.options).search('endless', 10);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'index' });
    expect(rig.ports[0]?.posted).toBeLessThan(60);
  });

  test('a name that is none of an index is not fetched', async () => {
    const rig = harness(NEEDS);
    const outcome = await createSearchClient(rig.options).search('escape', 10);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'index' });
    expect(rig.fetched.join(' ')).not.toContain('secret');
  });

  test('alternatives fetch what they need too', async () => {
    const rig = harness(NEEDS);
    const found = await createSearchClient(rig.options).alternatives('ndgc');
    expect(found?.queries).toEqual(['ndgcs', 'b', 'c', 'd']);
    expect(found?.pages).toMatchObject([{ pathname: '/near', hierarchy: { lvl1: 'Near' } }]);
    expect(rig.fetched).toContain(at(TERMS));
    expect(rig.fetched).toContain(at(VECTORS));
  });

  test('without the files of the meaning there are alternatives of words', async () => {
    const rig = harness(NEEDS);
    const { respond } = rig;
    rig.respond = (url, init) =>
      url === at(VECTORS) ? Promise.reject(new TypeError('offline')) : respond(url, init);
    const found = await createSearchClient(rig.options).alternatives('ndgc');
    expect(found).toMatchObject({ queries: ['ndgcs', 'b', 'c', 'd'], pages: [] });
  });

  test('on a poor connection alternatives are those of words, without asking for more', async () => {
    const rig = harness(NEEDS);
    const client = createSearchClient({ ...rig.options, mayRefine: () => false });
    expect(await client.alternatives('ndgc')).toMatchObject({ pages: [] });
    expect(rig.fetched).not.toContain(at(VECTORS));
  });

  test('an engine that cannot be had gives no alternatives, and no exception', async () => {
    const rig = harness(NEEDS);
    rig.respond = () => new Response('', { status: 500 });
    expect(await createSearchClient(rig.options).alternatives('ndgc')).toBeNull();
  });

  describe('that was replaced on the server', () => {
    const NEW_CORE = '/assets/search/core.11111111.bin';
    /** The files of both have the same names here: `gone` is gone until the newest core is there. */
    function replaced(gone: readonly string[], newest: unknown) {
      const rig = harness(NEEDS);
      const { respond } = rig;
      rig.respond = (url, init) => {
        if (url === NAME && init.cache === 'no-store') {
          return Response.json(newest);
        }
        return gone.includes(url) && !rig.fetched.includes(NEW_CORE)
          ? new Response('', { status: 404 })
          : respond(url, init);
      };
      return rig;
    }

    test.each([
      ['core', CORE],
      ['file', at(TERMS)],
      ['last file', at(NAMES)],
    ])('and its %s is gone: the newest one answers, and the console says so', async (_, gone) => {
      const rig = replaced([gone], { index: NEW_CORE });
      const client = createSearchClient(rig.options);
      expect(names(await client.search('one', 10))).toEqual(['one']);
      expect(rig.fetched).toContain(NEW_CORE);
      expect(rig.news).toEqual([expect.stringContaining(NEW_CORE)]);
      await client.search('two', 10);
      expect(rig.fetched.filter((url) => url === NAME)).toHaveLength(2);
    });

    test('while it is prepared and searched: both go on with the newest', async () => {
      const rig = replaced([CORE], { index: NEW_CORE });
      const client = createSearchClient(rig.options);
      const [warmed, found] = await Promise.all([client.warm('ranking'), client.search('one', 10)]);
      expect(warmed.status).toBe('answered');
      expect(names(found)).toEqual(['one']);
      expect(rig.news).toHaveLength(1);
    });

    test.each([
      ['the same one', { index: CORE }],
      ['an address elsewhere', { index: 'https://elsewhere.example/core.00000000.bin' }],
      ['an address elsewhere without a scheme', { index: '//elsewhere.example/core.bin' }],
      ['nonsense', [1]],
    ])('and the newest is %s: the query fails as it would have', async (_, newest) => {
      const rig = replaced([at(TERMS)], newest);
      const outcome = await createSearchClient(rig.options).search('one', 10);
      expect(outcome).toMatchObject({ status: 'failed', reason: 'http' });
      expect(outcome).toMatchObject({ detail: `${at(TERMS)}: status 404` });
      expect(rig.news).toEqual([]);
    });

    test('and the newest lacks files as well: one attempt, no loop', async () => {
      const rig = replaced([], { index: NEW_CORE });
      const { respond } = rig;
      rig.respond = (url, init) =>
        url === at(TERMS) ? new Response('', { status: 404 }) : respond(url, init);
      const outcome = await createSearchClient(rig.options).search('one', 10);
      expect(outcome).toMatchObject({ status: 'failed', reason: 'http' });
      expect(rig.fetched.filter((url) => url === NAME)).toHaveLength(2);
      expect(rig.fetched.filter((url) => url === at(TERMS))).toHaveLength(4);
    });
  });
});
