// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Alternatives, Hit } from '../../platform/hit';
import type { RetrieveFailure, RetrieveOutcome } from '../../platform/retrieveClient';
import type { EngineOutcome } from '../../platform/searchClient';
import type { JsonStorage } from '../../platform/storage';
import { QUERY_MAX_LENGTH, STALLED_AFTER_MS } from './limits';
import { optionsOf } from './searchState';
import { createSearchStore, type SearchDeps } from './searchStore';
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
const refinedHits = [localHits[1] as Hit, hitAt('/docs/refined#c'), localHits[0] as Hit];
const answered = (hits: readonly Hit[], isRefinable = false): EngineOutcome => ({
  status: 'answered',
  hits: [...hits],
  isRefinable,
});
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
  const refined: Call<EngineOutcome>[] = [];
  const alternatives: Call<Alternatives | null>[] = [];
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
      refine: (query) => call(refined, query),
      alternatives: (query) => call(alternatives, query),
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
    refined,
    alternatives,
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

describe('a refined answer', () => {
  const FIRST_SCREEN = 'local q: /docs/local#a /docs/local#b';
  const REFINED_SCREEN = 'local q: /docs/local#b /docs/local#a /docs/refined#c';

  async function withFirst(mode: SearchDeps['mode'] = 'local') {
    const rig = harness(mode);
    rig.type('q');
    await stall();
    await rig.local[0]?.answer(answered(localHits, true));
    return rig;
  }

  test('replaces the first one', async () => {
    const rig = await withFirst();
    expect(rig.screen()).toBe(FIRST_SCREEN);
    await rig.refined[0]?.answer(answered(refinedHits));
    expect(rig.screen()).toBe(REFINED_SCREEN);
    expect(rig.state().active).toBe(0);
  });

  test('is asked for only where there may be one', async () => {
    const rig = harness('local');
    rig.type('q');
    await rig.local[0]?.answer(answered(localHits));
    expect(rig.refined).toHaveLength(0);
  });

  type Rig = ReturnType<typeof harness>;
  test.each<[string, (rig: Rig) => void, string]>([
    ['moved the selection', (rig) => rig.state().move(1), FIRST_SCREEN],
    [
      'moved the selection there and back',
      (rig) => {
        rig.state().move(1);
        rig.state().move(-1);
      },
      FIRST_SCREEN,
    ],
    ['pressed or scrolled the list', (rig) => rig.state().touch(), FIRST_SCREEN],
    ['the pointer over the list', (rig) => rig.state().point(true), FIRST_SCREEN],
    [
      'the pointer over the list no more',
      (rig) => {
        rig.state().point(true);
        rig.state().point(false);
      },
      REFINED_SCREEN,
    ],
  ])('with the reader having %s', async (_, act, screen) => {
    const rig = await withFirst();
    act(rig);
    await rig.refined[0]?.answer(answered(refinedHits));
    expect(rig.screen()).toBe(screen);
  });

  test('does not change what Enter opens when it opens before it', async () => {
    const rig = await withFirst();
    rig.state().touch();
    await rig.refined[0]?.answer(answered(refinedHits));
    rig.state().confirm('tab');
    expect(rig.opened).toEqual([['/docs/local#a', 'tab']]);
  });

  test('a pointer that was over the list before the query was typed does not count', async () => {
    const rig = harness('local');
    rig.type('old');
    rig.state().point(true);
    rig.state().setQuery('q');
    await rig.local[1]?.answer(answered(localHits, true));
    await rig.refined[0]?.answer(answered(refinedHits));
    expect(rig.screen()).toBe(REFINED_SCREEN);
  });

  test('a pointer that came over the list while it was asked for does', async () => {
    const rig = harness('local');
    rig.type('q');
    rig.state().point(true);
    await rig.local[0]?.answer(answered(localHits, true));
    await rig.refined[0]?.answer(answered(refinedHits));
    expect(rig.screen()).toBe(FIRST_SCREEN);
  });

  test('to an older query changes nothing', async () => {
    const rig = await withFirst();
    rig.state().setQuery('qu');
    await rig.refined[0]?.answer(answered(refinedHits));
    expect(rig.screen()).toBe('loading');
  });

  test('that fails leaves the first one, and is reported', async () => {
    const rig = await withFirst();
    await rig.refined[0]?.answer(broken);
    expect(rig.screen()).toBe(FIRST_SCREEN);
    expect(rig.reports).toEqual(['results could not be refined: unreachable, index']);
  });

  test('gives way to the live one, whichever comes first', async () => {
    const late = await withFirst('live-with-fallback');
    await late.live[0]?.answer(LIVE_ANSWER);
    await late.refined[0]?.answer(answered(refinedHits));
    expect(late.screen()).toBe(LIVE_SCREEN);

    const early = await withFirst('live-with-fallback');
    await early.refined[0]?.answer(answered(refinedHits));
    expect(early.screen()).toBe(REFINED_SCREEN.replace('local', 'fallback'));
    await early.live[0]?.answer(LIVE_ANSWER);
    expect(early.screen()).toBe(LIVE_SCREEN);
  });

  test('and a live answer that was held back is not followed by a refined one', async () => {
    const rig = await withFirst('live-with-fallback');
    rig.state().point(true);
    await rig.live[0]?.answer(LIVE_ANSWER);
    rig.state().point(false);
    await rig.refined[0]?.answer(answered(refinedHits));
    expect(rig.screen()).toBe(FIRST_SCREEN.replace('local', 'fallback'));
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
    expect(rig.state().saved.recents.map((hit) => hit.objectID)).toEqual(['/docs/live#a']);
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
    expect(rig.state().saved.recents.map((hit) => hit.objectID)).toEqual(expected);
    const reloaded = harness('local', area);
    reloaded.state().open();
    expect(reloaded.state().saved.recents.map((hit) => hit.objectID)).toEqual(expected);
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
    expect(rig.state().saved.recents).toEqual([]);
  });

  test('without storage they last as long as the page', () => {
    const rig = harness('local', { read: () => null, write: () => false });
    rig.state().open();
    rig.state().remember(hitAt('/docs/1'));
    expect(rig.state().saved.recents).toHaveLength(1);
  });
});

describe('no results', () => {
  const near: Alternatives = { queries: ['ndcg'], pages: [hitAt('/docs/ndcg', { lvl1: 'nDCG' })] };

  test.each(['live', 'live-with-fallback', 'local'] as const)(
    'in the mode %s the index proposes queries and pages',
    async (mode) => {
      const rig = harness(mode);
      rig.mapsTo(answered([]));
      rig.type('ndgc');
      await rig.live[0]?.answer(LIVE_ANSWER);
      await rig.local[0]?.answer(answered([]));
      expect(rig.alternatives.map(({ query }) => query)).toEqual(['ndgc']);
      expect(rig.state().results).toMatchObject({ status: 'ready', shown: { alternatives: null } });
      await rig.alternatives[0]?.answer(near);
      expect(rig.state().results).toMatchObject({ shown: { query: 'ndgc', alternatives: near } });
    },
  );

  test('a page that leads off the site is not proposed', async () => {
    const rig = harness('local');
    rig.type('q');
    await rig.local[0]?.answer(answered([]));
    await rig.alternatives[0]?.answer({ queries: ['a'], pages: [hitAt('//elsewhere.example')] });
    expect(rig.state().results).toMatchObject({ shown: { alternatives: { pages: [] } } });
  });

  test('proposals for an older query are dropped', async () => {
    const rig = harness('local');
    rig.type('q');
    await rig.local[0]?.answer(answered([]));
    rig.state().setQuery('qu');
    await rig.local[1]?.answer(answered(localHits));
    await rig.alternatives[0]?.answer(near);
    expect(rig.screen()).toBe('local qu: /docs/local#a /docs/local#b');
  });

  test('hits have no proposals', async () => {
    const rig = harness('local');
    rig.type('q');
    await rig.local[0]?.answer(answered(localHits));
    expect(rig.alternatives).toHaveLength(0);
  });

  test.each<[string, Alternatives | null]>([
    ['nothing', { queries: [], pages: [] }],
    ['no answer', null],
  ])('from %s: what was last found, then what the site suggests', async (_, found) => {
    const rig = harness();
    rig.mapsTo(answered([hitAt('/docs/ndcg', { lvl1: 'nDCG' })]));
    rig.type('ndcg');
    await rig.live[0]?.answer(LIVE_ANSWER);
    rig.mapsTo(answered([]));
    rig.state().setQuery('ndcgx');
    await rig.live[1]?.answer(LIVE_ANSWER);
    await rig.alternatives[0]?.answer(found);
    expect(rig.state().results).toMatchObject({
      status: 'ready',
      shown: { alternatives: { queries: ['nDCG', 'Metrics', 'Connectors'], pages: [] } },
    });
    expect(rig.state().active).toBeNull();
  });
});
