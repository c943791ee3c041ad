/** Holds the search feature once it has been loaded: it is a part of the site that few pages need. */
import { flushSync } from 'react-dom';
import { createStore } from 'zustand/vanilla';

type SearchModule = typeof import('../features/search/index');

export const searchSlot = createStore<{ module: SearchModule | null }>(() => ({ module: null }));

/** Loads the search and what its first answer needs, before anybody asks. */
export async function warmSearch(): Promise<void> {
  const module = await import('../features/search/index');
  searchSlot.setState({ module });
  module.warmSearch();
}

/**
 * Loads the search, puts it into the shell, and opens it. `takeQuery` is asked at the last moment,
 * for what has been typed until then; after it the field has the focus and hears the next key.
 */
export async function openSearch(takeQuery: () => string | null): Promise<void> {
  const module = searchSlot.getState().module ?? (await import('../features/search/index'));
  flushSync(() => searchSlot.setState({ module }));
  const query = takeQuery();
  if (query !== null) flushSync(() => module.openSearch(query || undefined));
}
