/**
 * The search as a state machine, without React and without the DOM.
 *
 * One attempt belongs to one query. In `live-with-fallback` it asks the platform first; when that
 * fails, or has said nothing after the stalled threshold, the index in the browser answers, marked as
 * `fallback`. What comes later is better: the index's refined answer than its first one, a live answer
 * than both. It replaces what is shown, unless the reader has their hand on the list by then.
 * A new query ends the attempt before it, so an old answer never shows over a newer one.
 *
 * While an attempt runs, the hits of the query before stay on the screen, and Enter waits for the
 * answer instead of opening one of them.
 */
import { createStore } from 'zustand/vanilla';
import type { Hit } from '../../platform/hit';
import type { RetrieveClient, RetrieveFailure } from '../../platform/retrieveClient';
import type { SearchClient } from '../../platform/searchClient';
import type { JsonStorage } from '../../platform/storage';
import type { SearchMode } from '../../shared/content/model';
import type { Word } from '../../shared/content/words';
import { groupHits, hitsOf, namedFirst } from './groupHits';
import { type HitLink, linkOf } from './hitLink';
import { STALLED_AFTER_MS, SUGGESTED_QUERIES } from './limits';
import {
  createSavedSearches,
  leadToSamePlace,
  type Saved,
  withFavorite,
  withoutFavorite,
  withoutRecent,
  withRecent,
} from './savedSearches';
import {
  cutQuery,
  firstOf,
  type HitSource,
  isSettled,
  type OpenHow,
  optionsOf,
  type SearchState,
  type SearchStore,
  type Shown,
} from './searchState';

export interface SearchDeps {
  readonly mode: SearchMode;
  readonly siteRoot: string;
  readonly suggestions: readonly string[];
  readonly live: RetrieveClient | null;
  readonly engine: SearchClient;
  readonly storage: JsonStorage;
  readonly snippetWords: () => number;
  readonly openLink: (link: HitLink, how: OpenHow) => void;
  /** For whoever looks into the console. */
  readonly report: (problem: string) => void;
}

/** One query on its way. */
interface Attempt {
  readonly query: string;
  readonly abort: AbortController;
  readonly timer: ReturnType<typeof setTimeout>;
  live: 'unasked' | 'pending' | 'answered' | 'unmapped' | RetrieveFailure;
  local: 'unasked' | 'pending' | 'answered' | 'failed';
  /** The reader has chosen among the hits on the screen. */
  moved: boolean;
  /** The reader has pressed or scrolled them. */
  touched: boolean;
  /** Enter was pressed before there was anything to open. */
  confirmed: OpenHow | null;
}

export function createSearchStore(deps: SearchDeps): SearchStore {
  const savedSearches = createSavedSearches(deps.storage, deps.siteRoot);
  const localSource = deps.mode === 'local' ? 'local' : 'fallback';
  let attempt: Attempt | null = null;
  let lastFound: Shown | null = null;
  /** The pointer is over the list and has moved there since the last key: it is about to be used. */
  let isPointing = false;

  const store = createStore<SearchState>()((set, get) => ({
    isOpen: false,
    query: '',
    isQueryKept: false,
    results: { status: 'idle' },
    saved: { recents: [], favorites: [] },
    done: null,
    active: null,

    open(initialQuery) {
      const { isOpen, query, results } = get();
      if (!isOpen) {
        deps.live?.forgetFailures();
        set({
          isOpen: true,
          isQueryKept: initialQuery === undefined && query !== '',
          saved: savedSearches.read(),
          done: null,
        });
        void warm();
      }
      if (initialQuery !== undefined && initialQuery !== query) {
        get().setQuery(initialQuery);
      } else if (!isOpen && query.trim() !== '' && !isSettled(results)) {
        start(query);
      }
    },

    close() {
      if (get().isOpen) {
        endAttempt();
        isPointing = false;
        set({ isOpen: false });
      }
    },

    setQuery(text) {
      const query = cutQuery(text);
      if (query === get().query) {
        return;
      }
      set({ query, done: null });
      isPointing = false;
      if (query.trim() === '') {
        endAttempt();
        set({ results: { status: 'idle' }, active: null });
      } else {
        start(query);
      }
    },

    move(step) {
      const { active } = get();
      const size = optionsOf(get()).length;
      if (size > 0) {
        const from = active ?? (step === 1 ? -1 : size);
        get().moveTo((from + step + size) % size);
      }
    },

    moveTo(index) {
      if (optionsOf(get())[index] !== undefined && get().active !== index) {
        set({ active: index });
        if (attempt !== null) {
          attempt.moved = true;
        }
      }
    },

    point(isOver) {
      isPointing = isOver;
    },

    touch() {
      if (attempt !== null) {
        attempt.touched = true;
      }
    },

    confirm(how) {
      const { active, results } = get();
      if (attempt !== null && results.status !== 'ready' && !attempt.moved) {
        attempt.confirmed = how;
        return;
      }
      const hit = active === null ? undefined : optionsOf(get())[active];
      if (hit !== undefined) {
        get().choose(hit, how);
      }
    },

    choose(hit, how) {
      const link = linkOf(hit, deps.siteRoot);
      if (link === null) {
        return;
      }
      get().remember(hit);
      // The link first: it may need what the closing modal gives up.
      deps.openLink(link, how);
      if (how === 'here') {
        get().close();
      }
    },

    remember(hit) {
      const { active } = get();
      const selected = active === null ? undefined : optionsOf(get())[active];
      set({ saved: savedSearches.change((saved) => withRecent(saved, hit)) });
      if (get().results.status === 'idle' && selected !== undefined) {
        // It moves to the front while the modal stays open; the selection goes with it.
        const options = optionsOf(get());
        const place = options.findIndex((option) => leadToSamePlace(option, selected));
        set({ active: place < 0 ? null : place });
      }
    },

    forget(hit) {
      change((saved) => withoutRecent(saved, hit), 'Removed from recent searches');
    },

    favor(hit) {
      change((saved) => withFavorite(saved, hit), 'Moved to favorites');
    },

    unfavor(hit) {
      change((saved) => withoutFavorite(saved, hit), 'Removed from favorites');
    },

    retry() {
      const { isOpen, query, results } = get();
      if (isOpen && results.status === 'error') {
        deps.live?.forgetFailures();
        start(query);
      }
    },
  }));

  /** What is selected may be gone with the change: nothing is. */
  function change(step: (saved: Saved) => Saved, done: Word): void {
    store.setState({ saved: savedSearches.change(step), done, active: null });
  }

  async function warm(): Promise<void> {
    const outcome = await deps.engine.warm(deps.mode === 'live' ? 'mapping' : 'ranking');
    if (outcome.status === 'failed') {
      deps.report(`search could not be prepared: ${outcome.reason}, ${outcome.detail}`);
    }
  }

  function start(query: string): void {
    endAttempt();
    const { results } = store.getState();
    const shown = 'shown' in results ? results.shown : null;
    const current: Attempt = {
      query,
      abort: new AbortController(),
      timer: setTimeout(() => onStalled(current), STALLED_AFTER_MS),
      live: 'unasked',
      local: 'unasked',
      moved: false,
      touched: false,
      confirmed: null,
    };
    attempt = current;
    store.setState({
      results: results.status === 'error' ? results : { status: 'loading', shown },
      active: firstOf(shown),
    });
    if (deps.mode === 'local' || deps.live === null) {
      void askEngine(current);
    } else {
      void askPlatform(current, deps.live);
    }
  }

  function endAttempt(): void {
    if (attempt !== null) {
      clearTimeout(attempt.timer);
      attempt.abort.abort();
      attempt = null;
    }
  }

  function onStalled(current: Attempt): void {
    const { results } = store.getState();
    if (results.status === 'loading' || results.status === 'error') {
      const shown = 'shown' in results ? results.shown : null;
      store.setState({ results: { status: 'stalled', shown } });
    }
    if (deps.mode === 'live-with-fallback' && current.local === 'unasked') {
      void askEngine(current);
    }
  }

  async function askPlatform(current: Attempt, live: RetrieveClient): Promise<void> {
    current.live = 'pending';
    const outcome = await live.retrieve(current.query, current.abort.signal);
    if (current !== attempt || outcome.status === 'cancelled') {
      return;
    }
    if (outcome.status === 'failed') {
      if (outcome.reason !== 'resting') {
        deps.report(`live search failed: ${outcome.reason}, ${outcome.detail}`);
      }
      onPlatformFailed(current, outcome.reason);
      return;
    }
    const mapped = await deps.engine.mapHits(outcome.metadata, current.query, deps.snippetWords());
    if (current !== attempt || mapped.status === 'superseded') {
      return;
    }
    if (mapped.status === 'failed') {
      deps.report(`live results could not be read: ${mapped.reason}, ${mapped.detail}`);
      onPlatformFailed(current, 'unmapped');
      return;
    }
    current.live = 'answered';
    if (current.local === 'answered') {
      improve(current, mapped.hits, 'live');
    } else {
      show(current, mapped.hits, 'live');
    }
  }

  function onPlatformFailed(current: Attempt, reason: RetrieveFailure | 'unmapped'): void {
    current.live = reason;
    if (deps.mode === 'live-with-fallback' && current.local === 'unasked') {
      void askEngine(current);
    } else if (deps.mode === 'live' || current.local === 'failed') {
      giveUp(current);
    }
  }

  async function askEngine(current: Attempt): Promise<void> {
    current.local = 'pending';
    const outcome = await deps.engine.search(current.query, deps.snippetWords());
    if (current !== attempt || outcome.status === 'superseded') {
      return;
    }
    if (outcome.status === 'answered') {
      current.local = 'answered';
      if (current.live !== 'answered') {
        show(current, outcome.hits, localSource);
        if (outcome.isRefinable) {
          void refine(current);
        }
      }
      return;
    }
    deps.report(`search in the browser failed: ${outcome.reason}, ${outcome.detail}`);
    current.local = 'failed';
    if (current.live !== 'pending' && current.live !== 'answered') {
      giveUp(current);
    }
  }

  async function refine(current: Attempt): Promise<void> {
    const outcome = await deps.engine.refine(current.query, deps.snippetWords());
    if (current !== attempt || outcome.status === 'superseded') {
      return;
    }
    if (outcome.status === 'failed') {
      deps.report(`results could not be refined: ${outcome.reason}, ${outcome.detail}`);
    } else if (current.live !== 'answered') {
      improve(current, outcome.hits, localSource);
    }
  }

  /** A server that answered, badly, means no results; one that was not reached means the error screen. */
  function giveUp(current: Attempt): void {
    if (current.live === 'http' || current.live === 'malformed') {
      show(current, [], 'live');
    } else {
      clearTimeout(current.timer);
      store.setState({ results: { status: 'error' }, active: null });
    }
  }

  /** Shows a better answer to the same query, but never under the reader's hand. */
  function improve(current: Attempt, found: readonly Hit[], source: HitSource): void {
    if (!current.moved && !current.touched && !isPointing) {
      show(current, found, source);
    }
  }

  function show(current: Attempt, found: readonly Hit[], source: HitSource): void {
    clearTimeout(current.timer);
    const usable = found.filter((hit) => linkOf(hit, deps.siteRoot) !== null);
    const groups = groupHits(namedFirst(usable, current.query));
    const hits = hitsOf(groups);
    const shown: Shown = {
      query: current.query,
      source,
      groups,
      hits,
      alternatives: null,
    };
    current.moved = false;
    current.touched = false;
    store.setState({ results: { status: 'ready', shown }, active: firstOf(shown) });
    const [best] = hits;
    if (best === undefined) {
      void propose(shown);
      return;
    }
    lastFound = shown;
    const how = current.confirmed;
    if (how !== null) {
      current.confirmed = null;
      store.getState().choose(best, how);
    }
  }

  async function propose(shown: Shown): Promise<void> {
    const found = await deps.engine.alternatives(shown.query);
    const { results } = store.getState();
    if ('shown' in results && results.shown === shown) {
      const queries = found?.queries ?? [];
      const alternatives = {
        queries: queries.length > 0 ? queries : suggest(),
        pages: (found?.pages ?? []).filter((page) => linkOf(page, deps.siteRoot) !== null),
      };
      store.setState({ results: { ...results, shown: { ...shown, alternatives } } });
    }
  }

  /** Titles that the last query with results found, then what the site suggests. */
  function suggest(): string[] {
    const titles = lastFound?.hits.map((hit) => hit.hierarchy.lvl1) ?? [];
    const known = [...titles.slice(0, 2), ...deps.suggestions, ...titles.slice(2)];
    return [...new Set(known)].filter((text) => text !== '').slice(0, SUGGESTED_QUERIES);
  }

  return store;
}
