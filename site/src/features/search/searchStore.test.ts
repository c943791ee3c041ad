// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Hit } from '../../platform/hit';
import type { RetrieveFailure, RetrieveOutcome } from '../../platform/retrieveClient';
import type { EngineOutcome } from '../../platform/searchClient';
import type { JsonStorage } from '../../platform/storage';
import { QUERY_MAX_LENGTH, STALLED_AFTER_MS } from './limits';
import { createSearchStore, optionsOf, type SearchDeps } from './searchStore';
import { hitAt } from './testHits';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const liveHit = hitAt('/docs/live#a');
const liveHits = [liveHit, hitAt('/docs/live#b')];
const localHits = [hitAt('/docs/local#a'), hitAt('/docs/local#b')];
const answered = (hits: readonly Hit[]): EngineOutcome => ({ status: 'answered', hits: [...hits] });
const broken: EngineOutcome = { status: 'failed', reason: 'unreachable', detail: 'index' };

/** A call that the test answers when it likes. */
interface Call<T> {
  query: string;
  answer(value: T): Promise<void>;
  signal?: AbortSignal;
}

function harness(mode: SearchDeps['mode'] = 'live-with-fallback', area = memoryStorage()) {
  const live: Call<RetrieveOutcome>[] = [];
  const local: Call<EngineOutcome>[] = [];
  const opened: [string, string][] = [];
  const reports: string[] = [];
  let forgotten = 0;
  let mapped: EngineOutcome = answered(liveHits);
  function call<T>(calls: Call<T>[], query: string, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve) => {
      calls.push({
        query,
        ...(signal && { signal }),
        async answer(value) {
          resolve(value);
          await vi.advanceTimersByTimeAsync(0);
        },
      });
    });
  }
  const store = createSearchStore({
    mode,
    siteRoot: '/',
    suggestions: ['Metrics', 'Connectors'],
    live: {
      retrieve: (query, signal) => call(live, query, signal),
      forgetFailures: () => {
        forgotten += 1;
      },
    },
    engine: {
      search: (query) => call(local, query),
      mapHits: () => Promise.resolve(mapped),
      warm: () => Promise.resolve(answered([])),
    },
    storage: area,
    snippetWords: () => 10,
    openLink: (link, how) => void opened.push([link.href, how]),
    report: (problem) => void reports.push(problem),
  });
  return {
    store,
    state: () => store.getState(),
    live,
    local,
    opened,
    reports,
    forgotten: () => forgotten,
    mapsTo: (outcome: EngineOutcome) => {
      mapped = outcome;
    },
    /** The status, with source and first hit where there are hits. */
    screen() {
      const { results } = store.getState();
      if (results.status !== 'ready') {
        return results.status;
      }
      const { source, hits, query } = results.shown;
      return `${source} ${query}: ${hits.map((hit) => hit.objectID).join(' ')}`;
    },
    type(query: string) {
      store.getState().open();
      store.getState().setQuery(query);
    },
  };
}

const LIVE_ANSWER: RetrieveOutcome = { status: 'answered', metadata: [] };
const failedWith = (reason: RetrieveFailure): RetrieveOutcome => ({
  status: 'failed',
  reason,
  detail: 'x',
});
const LIVE_SCREEN = 'live q: /docs/live#a /docs/live#b';
const FALLBACK_SCREEN = 'fallback q: /docs/local#a /docs/local#b';

function memoryStorage(): JsonStorage {
  const kept = new Map<string, string>();
  return {
    read(key, decode) {
      const text = kept.get(key);
      return text === undefined ? null : decode(JSON.parse(text));
    },
    write(key, value) {
      kept.set(key, JSON.stringify(value));
      return true;
    },
  };
}

const stall = () => vi.advanceTimersByTimeAsync(STALLED_AFTER_MS);

describe('live with fallback', () => {
  test('a prompt live answer is shown and the index is not asked', async () => {
    const rig = harness();
    rig.type('q');
    expect(rig.screen()).toBe('loading');
    await rig.live[0]?.answer(LIVE_ANSWER);
    expect(rig.screen()).toBe(LIVE_SCREEN);
    await stall();
    expect(rig.local).toHaveLength(0);
    expect(rig.screen()).toBe(LIVE_SCREEN);
  });

  test.each<RetrieveFailure>(['http', 'unreachable', 'timeout', 'malformed', 'resting'])(
    'after the failure "%s" the index answers at once',
    async (reason) => {
      const rig = harness();
      rig.type('q');
      await rig.live[0]?.answer(failedWith(reason));
      await rig.local[0]?.answer(answered(localHits));
      expect(rig.screen()).toBe(FALLBACK_SCREEN);
    },
  );

  test('a failure is reported, a host that rests is not', async () => {
    const rig = harness();
    rig.type('q');
    await rig.live[0]?.answer(failedWith('http'));
    rig.store.getState().setQuery('qu');
    await rig.live[1]?.answer(failedWith('resting'));
    expect(rig.reports).toEqual(['live search failed: http, x']);
  });

  test('after 300 ms of silence the search is stalled and the index answers', async () => {
    const rig = harness();
    rig.type('q');
    await vi.advanceTimersByTimeAsync(STALLED_AFTER_MS - 1);
    expect(rig.screen()).toBe('loading');
    expect(rig.local).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(rig.screen()).toBe('stalled');
    await rig.local[0]?.answer(answered(localHits));
    expect(rig.screen()).toBe(FALLBACK_SCREEN);
  });

  test('a later live answer replaces the fallback', async () => {
    const rig = harness();
    rig.type('q');
    await stall();
    await rig.local[0]?.answer(answered(localHits));
    await rig.live[0]?.answer(LIVE_ANSWER);
    expect(rig.screen()).toBe(LIVE_SCREEN);
  });

  test('but not when the reader has moved the selection', async () => {
    const rig = harness();
    rig.type('q');
    await stall();
    await rig.local[0]?.answer(answered(localHits));
    rig.state().move(1);
    await rig.live[0]?.answer(LIVE_ANSWER);
    expect(rig.screen()).toBe(FALLBACK_SCREEN);
    expect(rig.state().active).toBe(1);
  });

  test('a move among the hits of the query before does not count', async () => {
    const rig = harness();
    rig.type('q');
    await rig.live[0]?.answer(LIVE_ANSWER);
    rig.state().setQuery('qu');
    rig.state().move(1);
    await stall();
    await rig.local[0]?.answer(answered(localHits));
    await rig.live[1]?.answer(LIVE_ANSWER);
    expect(rig.screen()).toBe('live qu: /docs/live#a /docs/live#b');
  });

  test('a live answer that comes before the slow index stays', async () => {
    const rig = harness();
    rig.type('q');
    await stall();
    await rig.live[0]?.answer(LIVE_ANSWER);
    await rig.local[0]?.answer(answered(localHits));
    expect(rig.screen()).toBe(LIVE_SCREEN);
  });

  test('a live failure after the fallback changes nothing', async () => {
    const rig = harness();
    rig.type('q');
    await stall();
    await rig.local[0]?.answer(answered(localHits));
    await rig.live[0]?.answer(failedWith('timeout'));
    expect(rig.screen()).toBe(FALLBACK_SCREEN);
  });

  test('a failing index waits for the live answer', async () => {
    const rig = harness();
    rig.type('q');
    await stall();
    await rig.local[0]?.answer(broken);
    expect(rig.screen()).toBe('stalled');
    await rig.live[0]?.answer(LIVE_ANSWER);
    expect(rig.screen()).toBe(LIVE_SCREEN);
  });

  test.each<[RetrieveFailure, string]>([
    ['unreachable', 'error'],
    ['timeout', 'error'],
    ['resting', 'error'],
    ['http', 'live q: '],
    ['malformed', 'live q: '],
  ])('live fails as "%s" and no index: %s', async (reason, screen) => {
    const rig = harness();
    rig.type('q');
    await rig.live[0]?.answer(failedWith(reason));
    await rig.local[0]?.answer(broken);
    expect(rig.screen()).toBe(screen);
  });

  test('the same when the index fails first', async () => {
    const rig = harness();
    rig.type('q');
    await stall();
    await rig.local[0]?.answer(broken);
    await rig.live[0]?.answer(failedWith('unreachable'));
    expect(rig.screen()).toBe('error');
  });

  test('a live answer that cannot be mapped falls back too', async () => {
    const rig = harness();
    rig.mapsTo(broken);
    rig.type('q');
    await rig.live[0]?.answer(LIVE_ANSWER);
    await rig.local[0]?.answer(answered(localHits));
    expect(rig.screen()).toBe(FALLBACK_SCREEN);
  });

  test('reopening asks the host again, and asks again for what the index had answered', async () => {
    const rig = harness();
    rig.type('q');
    await rig.live[0]?.answer(failedWith('unreachable'));
    await rig.local[0]?.answer(answered(localHits));
    rig.state().close();
    rig.state().open();
    expect(rig.forgotten()).toBe(2);
    expect(rig.state().query).toBe('q');
    await rig.live[1]?.answer(LIVE_ANSWER);
    expect(rig.screen()).toBe(LIVE_SCREEN);
  });
});

test('reopening asks again for what found nothing, and keeps what found something', async () => {
  const rig = harness('local');
  rig.type('q');
  await rig.local[0]?.answer(answered([]));
  rig.state().close();
  rig.state().open();
  await rig.local[1]?.answer(answered(localHits));
  rig.state().close();
  rig.state().open();
  expect(rig.local).toHaveLength(2);
});

describe('a newer query', () => {
  test('ends the call before it', () => {
    const rig = harness();
    rig.type('n');
    rig.state().setQuery('nd');
    expect(rig.live[0]?.signal?.aborted).toBe(true);
    expect(rig.live[1]?.signal?.aborted).toBe(false);
  });

  test('is never overwritten by an older answer, live or from the index', async () => {
    const rig = harness();
    rig.type('old');
    await stall();
    rig.state().setQuery('q');
    await rig.live[1]?.answer(LIVE_ANSWER);
    await rig.local[0]?.answer(answered(localHits));
    await rig.live[0]?.answer(LIVE_ANSWER);
    expect(rig.screen()).toBe(LIVE_SCREEN);
  });

  test('is not disturbed by the failure of an older one', async () => {
    const rig = harness();
    rig.type('old');
    rig.state().setQuery('q');
    await rig.live[0]?.answer(failedWith('http'));
    expect(rig.local).toHaveLength(0);
    expect(rig.reports).toEqual([]);
  });

  test('keeps the hits of the one before until it has its own', async () => {
    const rig = harness();
    rig.type('q');
    await rig.live[0]?.answer(LIVE_ANSWER);
    rig.state().setQuery('qu');
    expect(rig.screen()).toBe('loading');
    expect(optionsOf(rig.state())).toEqual(liveHits);
  });

  test('an old stall does not touch it', async () => {
    const rig = harness();
    rig.type('q');
    await vi.advanceTimersByTimeAsync(STALLED_AFTER_MS - 1);
    rig.state().setQuery('qu');
    await vi.advanceTimersByTimeAsync(1);
    expect(rig.screen()).toBe('loading');
  });

  test('an emptied field is idle at once, and stays it', async () => {
    const rig = harness();
    rig.type('q');
    rig.state().setQuery('');
    await rig.live[0]?.answer(LIVE_ANSWER);
    await stall();
    expect(rig.screen()).toBe('idle');
  });

  test('spaces alone search for nothing', () => {
    const rig = harness();
    rig.type('   ');
    expect(rig.live).toHaveLength(0);
    expect(rig.screen()).toBe('idle');
  });

  test('is cut to its longest length, never within a character', () => {
    const rig = harness();
    rig.type('x'.repeat(QUERY_MAX_LENGTH + 100));
    expect(rig.live[0]?.query).toHaveLength(QUERY_MAX_LENGTH);
    rig.state().setQuery(`${'x'.repeat(QUERY_MAX_LENGTH - 1)}🐦`);
    expect(rig.live[1]?.query).toBe('x'.repeat(QUERY_MAX_LENGTH - 1));
  });
});

describe('live mode', () => {
  test.each<[RetrieveFailure, string]>([
    ['http', 'live q: '],
    ['malformed', 'live q: '],
    ['unreachable', 'error'],
    ['timeout', 'error'],
  ])('the failure "%s" gives "%s", the index is never asked', async (reason, screen) => {
    const rig = harness('live');
    rig.type('q');
    await stall();
    expect(rig.screen()).toBe('stalled');
    await rig.live[0]?.answer(failedWith(reason));
    expect(rig.screen()).toBe(screen);
    expect(rig.local).toHaveLength(0);
  });
});

describe('local mode', () => {
  test('the index answers and nobody else is asked', async () => {
    const rig = harness('local');
    rig.type('q');
    await rig.local[0]?.answer(answered(localHits));
    expect(rig.screen()).toBe('local q: /docs/local#a /docs/local#b');
    expect(rig.live).toHaveLength(0);
  });

  test('is stalled while the index loads, and an error when it does not come', async () => {
    const rig = harness('local');
    rig.type('q');
    await stall();
    expect(rig.screen()).toBe('stalled');
    await rig.local[0]?.answer(broken);
    expect(rig.screen()).toBe('error');
    rig.state().setQuery('qu');
    await rig.local[1]?.answer(answered(localHits));
    expect(rig.screen()).toBe('local qu: /docs/local#a /docs/local#b');
  });
});

test('the error screen stays while the next query is on its way, and goes with its answer', async () => {
  const rig = harness('live');
  rig.type('q');
  await rig.live[0]?.answer(failedWith('unreachable'));
  rig.state().setQuery('qu');
  expect(rig.screen()).toBe('error');
  await stall();
  expect(rig.screen()).toBe('stalled');
  await rig.live[1]?.answer(LIVE_ANSWER);
  expect(rig.screen()).toBe('live qu: /docs/live#a /docs/live#b');
});

describe('the selection', () => {
  async function withResults() {
    const rig = harness();
    rig.type('q');
    await rig.live[0]?.answer(LIVE_ANSWER);
    return rig;
  }

  test('starts at the best hit and goes round', async () => {
    const rig = await withResults();
    const seen = [rig.state().active];
    for (const step of [1, 1, -1, -1] as const) {
      rig.state().move(step);
      seen.push(rig.state().active);
    }
    expect(seen).toEqual([0, 1, 0, 1, 0]);
  });

  test('opens here: closes, keeps the query, remembers the hit', async () => {
    const rig = await withResults();
    rig.state().confirm('here');
    expect(rig.opened).toEqual([['/docs/live#a', 'here']]);
    expect(rig.state()).toMatchObject({ isOpen: false, query: 'q' });
    expect(rig.state().recents.map((hit) => hit.objectID)).toEqual(['/docs/live#a']);
  });

  test.each(['tab', 'window'] as const)('opens in a %s: stays open', async (how) => {
    const rig = await withResults();
    rig.state().confirm(how);
    expect(rig.opened).toEqual([['/docs/live#a', how]]);
    expect(rig.state().isOpen).toBe(true);
  });

  test('Enter before the answer opens the best hit of the answer, once', async () => {
    const rig = await withResults();
    rig.mapsTo(answered([hitAt('/docs/new')]));
    rig.state().setQuery('new');
    rig.state().confirm('tab');
    expect(rig.opened).toEqual([]);
    await stall();
    await rig.local[0]?.answer(answered(localHits));
    await rig.live[1]?.answer(LIVE_ANSWER);
    expect(rig.opened).toEqual([['/docs/local#a', 'tab']]);
  });

  test('with nothing selected Enter does nothing', () => {
    const rig = harness();
    rig.state().open();
    rig.state().confirm('here');
    expect(rig.opened).toEqual([]);
  });
});

describe('hits that lead off the site', () => {
  const hostile = [
    'javascript:alert(1)',
    '//evil.test/x',
    '/\\evil.test',
    'https://evil.test/',
    'docs/x',
  ];

  test('are not shown', async () => {
    const rig = harness();
    rig.mapsTo(answered([...hostile.map((url) => hitAt(url)), liveHit]));
    rig.type('q');
    await rig.live[0]?.answer(LIVE_ANSWER);
    expect(rig.screen()).toBe('live q: /docs/live#a');
  });

  test('are not opened even when asked for', () => {
    const rig = harness();
    for (const url of hostile) {
      rig.state().choose(hitAt(url), 'here');
    }
    expect(rig.opened).toEqual([]);
  });
});

describe('recent searches', () => {
  test('are the last seven, the newest first, each once, and survive a reload', () => {
    const area = memoryStorage();
    const rig = harness('local', area);
    rig.state().open();
    for (const page of [1, 2, 3, 4, 5, 6, 7, 8, 3]) {
      rig.state().choose(hitAt(`/docs/${page}`), 'tab');
    }
    const expected = [3, 8, 7, 6, 5, 4, 2].map((page) => `/docs/${page}`);
    expect(rig.state().recents.map((hit) => hit.objectID)).toEqual(expected);
    const reloaded = harness('local', area);
    reloaded.state().open();
    expect(reloaded.state().recents.map((hit) => hit.objectID)).toEqual(expected);
  });

  test('can be removed, and are what the keys walk through while the field is empty', () => {
    const rig = harness('local');
    rig.state().open();
    rig.state().remember(hitAt('/docs/1'));
    rig.state().remember(hitAt('/docs/2'));
    rig.state().forget(hitAt('/docs/2'));
    expect(optionsOf(rig.state()).map((hit) => hit.objectID)).toEqual(['/docs/1']);
    rig.state().move(-1);
    rig.state().confirm('here');
    expect(rig.opened).toEqual([['/docs/1', 'here']]);
  });

  test.each([
    ['another shape', { 1: 2 }],
    ['nonsense entries', [null, 5, { pathname: '/x' }]],
    ['hostile entries', [hitAt('javascript:alert(1)'), hitAt('//evil.test')]],
  ])('storage that holds %s gives none', (_, value) => {
    const area: JsonStorage = { read: (_key, decode) => decode(value), write: () => true };
    const rig = harness('local', area);
    rig.state().open();
    expect(rig.state().recents).toEqual([]);
  });

  test('without storage they last as long as the page', () => {
    const rig = harness('local', { read: () => null, write: () => false });
    rig.state().open();
    rig.state().remember(hitAt('/docs/1'));
    expect(rig.state().recents).toHaveLength(1);
  });
});

describe('no results', () => {
  test('suggest what was last found, then what the site suggests', async () => {
    const rig = harness();
    rig.mapsTo(answered([hitAt('/docs/ndcg', { lvl1: 'nDCG' })]));
    rig.type('ndcg');
    await rig.live[0]?.answer(LIVE_ANSWER);
    rig.mapsTo(answered([]));
    rig.state().setQuery('ndcgx');
    await rig.live[1]?.answer(LIVE_ANSWER);
    expect(rig.state().results).toMatchObject({
      status: 'ready',
      shown: { suggestions: ['nDCG', 'Metrics', 'Connectors'] },
    });
    expect(rig.state().active).toBeNull();
  });
});
