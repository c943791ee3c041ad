/** Every number of the search, in one place. */

/** Results of a search, and how many of them one page may give. */
export const RESULTS_PER_SEARCH = 10;
export const RESULTS_PER_PAGE = 3;
/** Asked of the platform, so that enough are left when a long page has more than its share. */
export const RESULTS_ASKED_LIVE = 20;
/** Results shown of one section of the docs, and of one page. */
export const HITS_PER_LVL0 = 5;
export const HITS_PER_LVL1 = 5;
/** Longest query, in UTF-16 units; the rest is cut off before anything looks at it. */
export const QUERY_MAX_LENGTH = 512;
/** A search without an answer after this long is stalled: the spinner shows, the offline index answers. */
export const STALLED_AFTER_MS = 300;
/** Words of a hit's text, on wide and on narrow screens. */
export const SNIPPET_WORDS = 10;
export const SNIPPET_WORDS_NARROW = 5;
export const NARROW_SCREEN = '(max-width: 48em)';
/** Recent searches that are kept, alone and beside favorites, and favorites. */
export const RECENT_SEARCHES = 7;
export const RECENT_SEARCHES_BESIDE_FAVORITES = 4;
export const FAVORITE_SEARCHES = 10;
/** Suggested queries on the screen without results, and as many pages. */
export const SUGGESTED_QUERIES = 4;
/** A live answer that takes longer is given up. */
export const READ_TIMEOUT_MS = 2_000;
/** A host that was not reached is not asked again for this long, or until the modal is reopened. */
export const HOST_COOLDOWN_MS = 120_000;
/** Files for better results are fetched when the reader has not typed for this long. */
export const REFINE_AFTER_MS = 150;
/** What is kept of the index outside of the engine, for a new one after a crash. */
export const KEPT_INDEX_BYTES = 4_000_000;
/** The index and the module may come over a slow line; the live call does not wait for them. */
export const LOAD_TIMEOUT_MS = 30_000;
/** The engine answers in milliseconds; after this long its worker is taken for hung and replaced. */
export const REPLY_TIMEOUT_MS = 5_000;
