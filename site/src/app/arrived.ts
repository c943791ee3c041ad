import type { RefObject } from 'react';

/**
 * The page that the reader has come to, by its path: the one that came as HTML first. Null where another stands in its place, so
 * that the next one is arrived at, even if it is the same. It outlives the pages.
 */
export type Arrived = RefObject<string | null>;
