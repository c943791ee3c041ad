/** The search of the site: what the app renders once, and how everything else opens it. */
import { useEffect, useState } from 'react';
import { createRetrieveClient, type RetrieveClient } from '../../platform/retrieveClient';
import { createSearchClient } from '../../platform/searchClient';
import { startSearchWorker } from '../../platform/searchWorkerPort';
import { localJsonStorage } from '../../platform/storage';
import type { SearchConfig } from '../../shared/content/model';
import { useSite } from '../../shared/content/SiteContext';
import { searchProblem } from './searchProblem';
import {
  HOST_COOLDOWN_MS,
  LOAD_TIMEOUT_MS,
  NARROW_SCREEN,
  READ_TIMEOUT_MS,
  REPLY_TIMEOUT_MS,
  RESULTS_PER_SEARCH,
  SNIPPET_WORDS,
  SNIPPET_WORDS_NARROW,
} from './limits';
import { SearchModal } from './SearchModal';
import { createSearchStore, type OpenHow, type SearchDeps, type SearchStore } from './searchStore';

interface SearchRootProps {
  readonly config: SearchConfig;
  /**
   * Opens the page at a path below the site's base and brings the anchor into view. The hash
   * comes with '#' and percent-encoded.
   */
  navigate(to: string, target: { hash: string | null }): void;
}

/** The search modal; nothing, with a warning, where the configuration allows no search. */
export function SearchRoot({ config, navigate }: SearchRootProps) {
  const problem = searchProblem(config);
  useEffect(() => {
    if (problem !== null) {
      warnOnce(problem);
    }
  }, [problem]);
  return problem === null ? <Search config={config} navigate={navigate} /> : null;
}

/** Opens the modal, at once or as soon as it is mounted, and searches for the query if there is one. */
export function openSearch(query?: string): void {
  if (mounted === null) {
    requested = { query };
  } else {
    mounted.getState().open(query);
  }
}

let mounted: SearchStore | null = null;
/** What was asked for before there was a modal. */
let requested: { query: string | undefined } | null = null;

function Search({ config, navigate }: SearchRootProps) {
  const { sections } = useSite();
  const [search] = useState(() =>
    createSearch(
      config,
      sections.map((section) => section.title),
      navigate,
    ),
  );
  useEffect(() => {
    search.navigate = navigate;
  }, [search, navigate]);
  useEffect(() => {
    mounted = search.store;
    if (requested !== null) {
      search.store.getState().open(requested.query);
      requested = null;
    }
    return () => {
      mounted = null;
    };
  }, [search]);
  return <SearchModal store={search.store} siteRoot={config.siteRoot} />;
}

interface SearchParts {
  readonly store: SearchStore;
  navigate: SearchRootProps['navigate'];
}

/** Nothing here touches the network, storage or the DOM before the modal is opened. */
function createSearch(
  config: SearchConfig,
  suggestions: readonly string[],
  navigate: SearchRootProps['navigate'],
): SearchParts {
  const engine = createSearchClient({
    wasmUrl: config.wasmUrl,
    indexUrl: config.indexUrl,
    siteRoot: config.siteRoot,
    limit: RESULTS_PER_SEARCH,
    loadTimeoutMs: LOAD_TIMEOUT_MS,
    replyTimeoutMs: REPLY_TIMEOUT_MS,
    fetch: (input, init) => fetch(input, init),
    startWorker: startSearchWorker,
  });
  const deps: SearchDeps = {
    mode: config.mode,
    siteRoot: config.siteRoot,
    suggestions,
    live: createLive(config),
    engine,
    storage: localJsonStorage,
    snippetWords: () =>
      window.matchMedia(NARROW_SCREEN).matches ? SNIPPET_WORDS_NARROW : SNIPPET_WORDS,
    openLink: (link, how) => {
      if (how === 'here') {
        search.navigate(link.pathname, { hash: link.hash || null });
      } else {
        openElsewhere(link.href, how);
      }
    },
    report: (problem) => console.error(`siftwren: ${problem}`),
  };
  const search: SearchParts = {
    store: createSearchStore(deps),
    navigate,
  };
  return search;
}

function createLive(config: SearchConfig): RetrieveClient | null {
  const { mode, apiUrl, model, key } = config;
  if (mode === 'local' || apiUrl === null || model === null || key === null) {
    return null;
  }
  return createRetrieveClient({
    apiUrl,
    model,
    key,
    limit: RESULTS_PER_SEARCH,
    timeoutMs: READ_TIMEOUT_MS,
    cooldownMs: HOST_COOLDOWN_MS,
    fetch: (input, init) => fetch(input, init),
    now: () => performance.now(),
  });
}

/** A window of its own is a popup to the browser: it needs a size, and gets this window's. */
function openElsewhere(href: string, how: Exclude<OpenHow, 'here'>): void {
  const features =
    how === 'tab'
      ? 'noopener'
      : `noopener,popup,width=${window.outerWidth},height=${window.outerHeight}`;
  window.open(href, '_blank', features);
}

let hasWarned = false;

function warnOnce(problem: string): void {
  if (!hasWarned) {
    hasWarned = true;
    console.warn(`siftwren: ${problem}`);
  }
}
