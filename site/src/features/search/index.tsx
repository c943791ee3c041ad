/** The search of the site: what the app renders once, and how everything else opens it. */
import { useEffect, useState } from 'react';
import { createRetrieveClient, type RetrieveClient } from '../../platform/retrieveClient';
import { createSearchClient } from '../../platform/searchClient';
import { startSearchWorker } from '../../platform/searchWorkerPort';
import { localJsonStorage } from '../../platform/storage';
import { sectionsOf } from '../../shared/content/locales';
import type { Locale, SearchConfig } from '../../shared/content/model';
import { useSite } from '../../shared/content/SiteContext';
import { connectionOf } from '../../shared/lib/connection';
import { createBackEntry } from './backEntry';
import {
  HOST_COOLDOWN_MS,
  KEPT_INDEX_BYTES,
  LOAD_TIMEOUT_MS,
  NARROW_SCREEN,
  READ_TIMEOUT_MS,
  REFINE_AFTER_MS,
  REPLY_TIMEOUT_MS,
  RESULTS_ASKED_LIVE,
  RESULTS_PER_PAGE,
  RESULTS_PER_SEARCH,
  SNIPPET_WORDS,
  SNIPPET_WORDS_NARROW,
  SUGGESTED_QUERIES,
} from './limits';
import { openWith } from './openWith';
import { SearchModal } from './SearchModal';
import type { OpenHow, SearchStore } from './searchState';
import { createSearchStore, type SearchDeps } from './searchStore';

interface SearchRootProps {
  readonly config: SearchConfig;
  /** The language that is searched. */
  readonly locale: Locale;
  /**
   * Opens the page at a path below the site's base and brings the anchor into view. The hash
   * comes with '#' and percent-encoded.
   */
  navigate(to: string, target: { hash: string | null }): void;
}

/**
 * Opens the modal, at once or as soon as it is mounted, and searches for the query if there is one. What was pressed before
 * there was a field is done then.
 */
export function openSearch(query = '', pressed: readonly KeyboardEvent[] = []): void {
  whenMounted(({ store }) => openWith(store, query, pressed));
}

/** Fetches and starts what the first search needs. A failure is silent here: nobody has asked yet. */
export function warmSearch(): void {
  if (requested === null) {
    whenMounted(({ warm }) => warm());
  }
}

let mounted: SearchParts | null = null;
/** What was asked for before there was a modal. */
let requested: ((search: SearchParts) => void) | null = null;

function whenMounted(task: (search: SearchParts) => void): void {
  if (mounted === null) {
    requested = task;
  } else {
    task(mounted);
  }
}

/** The search modal. A site whose configuration allows no search does not get here: `searchProblem`. */
export function SearchRoot({ config, locale, navigate }: SearchRootProps) {
  const site = useSite();
  const [search] = useState(() =>
    createSearch(
      searchIn(locale, config),
      sectionsOf(site, locale.start).map((section) => section.title),
      navigate,
    ),
  );
  useEffect(() => {
    search.navigate = navigate;
  }, [search, navigate]);
  useEffect(() => {
    mounted = search;
    requested?.(search);
    requested = null;
    return () => {
      mounted = null;
    };
  }, [search]);
  return <SearchModal store={search.store} siteRoot={config.siteRoot} />;
}

interface SearchInLanguage extends SearchConfig {
  /** Null for the first of the site. */
  readonly language: string | null;
}

/** The platform knows the first language alone. */
function searchIn({ tag }: Locale, config: SearchConfig): SearchInLanguage {
  if (!config.languages.includes(tag)) return { ...config, language: null };
  return { ...config, mode: 'local', language: tag };
}

interface SearchParts {
  readonly store: SearchStore;
  warm(): void;
  navigate: SearchRootProps['navigate'];
}

/** Nothing here touches the network, storage or the DOM before the modal is opened. */
function createSearch(
  config: SearchInLanguage,
  suggestions: readonly string[],
  navigate: SearchRootProps['navigate'],
): SearchParts {
  const engine = createSearchClient({
    wasmUrl: config.wasmUrl,
    indexName: `${config.siteRoot}search.json`,
    language: config.language,
    indexFolder: `${config.siteRoot}assets/search/`,
    siteRoot: config.siteRoot,
    limit: RESULTS_PER_SEARCH,
    proposals: SUGGESTED_QUERIES,
    loadTimeoutMs: LOAD_TIMEOUT_MS,
    replyTimeoutMs: REPLY_TIMEOUT_MS,
    refineAfterMs: REFINE_AFTER_MS,
    cooldownMs: HOST_COOLDOWN_MS,
    keepBytes: KEPT_INDEX_BYTES,
    mayRefine: () => navigator.onLine && connectionOf(navigator) !== 'poor',
    fetch: (input, init) => fetch(input, init),
    startWorker: startSearchWorker,
    report: (news) => console.warn(`siftwren: ${news}`),
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
        entry.handOver();
        search.navigate(link.pathname, { hash: link.hash || null });
      } else {
        openElsewhere(link.href, how);
      }
    },
    report: (problem) => console.error(`siftwren: ${problem}`),
  };
  const search: SearchParts = {
    store: createSearchStore(deps),
    warm: () => void engine.warm(config.mode === 'live' ? 'mapping' : 'ranking'),
    navigate,
  };
  const entry = createBackEntry(window, () => search.store.getState().close());
  search.store.subscribe(({ isOpen }, before) => {
    if (isOpen === before.isOpen) return;
    if (isOpen) entry.enter();
    else entry.leave();
  });
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
    limit: RESULTS_ASKED_LIVE,
    keep: RESULTS_PER_SEARCH,
    keepPerPage: RESULTS_PER_PAGE,
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
