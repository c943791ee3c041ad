/** Holds the search feature once it has been loaded: it is a part of the site that few pages need. */
import { flushSync } from 'react-dom';
import { createStore } from 'zustand/vanilla';
import type { SearchWish } from './client';
import { retriable } from './retriable';

type SearchModule = typeof import('../features/search/index');

export const searchSlot = createStore<{ module: SearchModule | null }>(() => ({ module: null }));

const loadSearch = retriable<SearchModule>(() => import('../features/search/index'));

/** Loads the search and what its first answer needs, before anybody asks. */
export async function warmSearch(): Promise<void> {
  const module = await loadSearch();
  searchSlot.setState({ module });
  module.warmSearch();
}

/**
 * Loads the search, puts it into the shell, and opens it. `takeWish` is asked at the last moment,
 * for what has been pressed until then; after it the field has the focus and hears the next key.
 */
export async function openSearch(takeWish: () => SearchWish | null): Promise<void> {
  const module = await loadSearch();
  flushSync(() => searchSlot.setState({ module }));
  const wish = takeWish();
  if (wish === null) return;
  const [query, ...pressed] = wish;
  flushSync(() => module.openSearch(query, pressed));
}
