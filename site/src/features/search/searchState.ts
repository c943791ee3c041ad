/** What the search is in, what can be done to it, and what both say together. */
import type { StoreApi } from 'zustand/vanilla';
import type { Alternatives, Hit } from '../../platform/hit';
import type { Word } from '../../shared/content/words';
import type { HitGroup } from './groupHits';
import { QUERY_MAX_LENGTH } from './limits';
import type { Saved } from './savedSearches';

/** Where the hits on the screen come from; `fallback` is the index standing in for the platform. */
export type HitSource = 'live' | 'local' | 'fallback';

export interface Shown {
  readonly query: string;
  readonly source: HitSource;
  readonly groups: readonly HitGroup[];
  /** The hits of `groups`, in their order. */
  readonly hits: readonly Hit[];
  /** What to try where there are no hits; null as long as the index is asked. */
  readonly alternatives: Alternatives | null;
}

export type Results =
  | { readonly status: 'idle' }
  /** `shown` is what the query before found. */
  | { readonly status: 'loading'; readonly shown: Shown | null }
  | { readonly status: 'stalled'; readonly shown: Shown | null }
  | { readonly status: 'ready'; readonly shown: Shown }
  /** No host was reached and no index could answer; a new query leaves it only with an answer. */
  | { readonly status: 'error' };

export type OpenHow = 'here' | 'tab' | 'window';

export interface SearchState {
  readonly isOpen: boolean;
  readonly query: string;
  /** The query is from the last time: typing replaces it. */
  readonly isQueryKept: boolean;
  readonly results: Results;
  /** What the screen with an empty query shows. */
  readonly saved: Saved;
  /** What has just been done to it, for a screen reader. */
  readonly done: Word | null;
  /** Index of the selected option: of the hits on the screen, or of what is saved with an empty query. */
  readonly active: number | null;

  open(initialQuery?: string): void;
  close(): void;
  setQuery(text: string): void;
  /** Moves the selection; past an end it goes on at the other one. */
  move(step: 1 | -1): void;
  moveTo(index: number): void;
  /** The pointer moves over the list, or leaves it. */
  point(isOver: boolean): void;
  /** The reader has pressed or scrolled the list. */
  touch(): void;
  /** Enter: opens the selected option, or the first hit as soon as there is one. */
  confirm(how: OpenHow): void;
  choose(hit: Hit, how: OpenHow): void;
  /** Keeps a hit that the browser itself opens (a click with a modifier). */
  remember(hit: Hit): void;
  forget(hit: Hit): void;
  /** Moves a recent search to the favorites. */
  favor(hit: Hit): void;
  unfavor(hit: Hit): void;
  /** Asks again after nobody could be reached. */
  retry(): void;
}

export type SearchStore = StoreApi<SearchState>;

/** What the arrow keys walk through. */
export function optionsOf(state: SearchState): readonly Hit[] {
  if (state.results.status === 'idle') {
    return [...state.saved.recents, ...state.saved.favorites];
  }
  return 'shown' in state.results ? (state.results.shown?.hits ?? []) : [];
}

/** How Enter opens a hit. */
export function howOf(pressed: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>): OpenHow {
  if (pressed.ctrlKey || pressed.metaKey) {
    return 'tab';
  }
  return pressed.shiftKey ? 'window' : 'here';
}

/** An answer that needs no second look when the modal is opened again. */
export function isSettled(results: Results): boolean {
  return (
    results.status === 'ready' &&
    results.shown.source !== 'fallback' &&
    results.shown.hits.length > 0
  );
}

export function firstOf(shown: Shown | null): number | null {
  return shown !== null && shown.hits.length > 0 ? 0 : null;
}

/** At most the longest query, and never half of a character that takes two units. */
export function cutQuery(text: string): string {
  const short = text.slice(0, QUERY_MAX_LENGTH);
  return /[\uD800-\uDBFF]$/.test(short) ? short.slice(0, -1) : short;
}
