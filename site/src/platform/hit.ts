/**
 * A search hit as the reader sees it. The live answers and the local ranking both become this one
 * shape, in wasm-core; here it is only checked, because it comes from a worker or from storage.
 */
import { isRecord, readText } from './decode';

/** A stretch of a text in UTF-16 units, the end excluded. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface Hit {
  readonly objectID: string;
  /** The site's base followed by the path: what a new tab opens. */
  readonly url: string;
  /** The path below the site's base: what the router opens. */
  readonly pathname: string;
  /** The anchor, without '#'; empty where the hit is a whole page. */
  readonly hash: string;
  readonly hierarchy: { readonly lvl0: string; readonly lvl1: string };
  readonly content: string;
  readonly type: 'content';
  readonly marks: {
    readonly lvl0: readonly TextRange[];
    readonly lvl1: readonly TextRange[];
    readonly content: readonly TextRange[];
  };
}

/** What to propose where nothing was found. */
export interface Alternatives {
  /** Queries that do find something. */
  readonly queries: readonly string[];
  /** Pages whose subject is near. */
  readonly pages: readonly Hit[];
}

/** Longest text of one field that is kept: far above any heading, far below what could hurt a page. */
const MAX_TEXT = 2_000;
const MAX_RANGES = 200;

/** Reads a hit; null where it has no usable shape. Missing marks mean: nothing is highlighted. */
export function decodeHit(value: unknown): Hit | null {
  if (!isRecord(value) || !isRecord(value.hierarchy)) {
    return null;
  }
  const objectID = readText(value.objectID, MAX_TEXT);
  const url = readText(value.url, MAX_TEXT);
  const pathname = readText(value.pathname, MAX_TEXT);
  const lvl0 = readText(value.hierarchy.lvl0, MAX_TEXT);
  const lvl1 = readText(value.hierarchy.lvl1, MAX_TEXT);
  if (objectID === null || url === null || pathname === null || lvl0 === null || lvl1 === null) {
    return null;
  }
  const marks = isRecord(value.marks) ? value.marks : {};
  return {
    objectID,
    url,
    pathname,
    hash: (readText(value.hash, MAX_TEXT) ?? '').replace(/^#/, ''),
    hierarchy: { lvl0, lvl1 },
    content: readText(value.content, MAX_TEXT) ?? '',
    type: 'content',
    marks: {
      lvl0: decodeRanges(marks.lvl0),
      lvl1: decodeRanges(marks.lvl1),
      content: decodeRanges(marks.content),
    },
  };
}

/** Reads a list of hits and leaves out what is none; anything but a list is an empty one. */
export function decodeHits(value: unknown, max: number): Hit[] {
  if (!Array.isArray(value)) {
    return [];
  }
  return value.slice(0, max).flatMap((entry) => decodeHit(entry) ?? []);
}

/** Reads proposals, `max` of each kind at most. */
export function decodeAlternatives(value: Record<string, unknown>, max: number): Alternatives {
  const { queries, pages } = value;
  return {
    queries: (Array.isArray(queries) ? queries : [])
      .flatMap((query: unknown) => readText(query, MAX_TEXT) || [])
      .slice(0, max),
    pages: (Array.isArray(pages) ? pages : [])
      .flatMap((page: unknown) =>
        isRecord(page)
          ? (decodeHit({
              ...page,
              objectID: page.pathname,
              url: page.pathname,
              hierarchy: { lvl0: '', lvl1: page.title },
            }) ?? [])
          : [],
      )
      .slice(0, max),
  };
}

function decodeRanges(value: unknown): TextRange[] {
  if (!Array.isArray(value)) {
    return [];
  }
  return value.slice(0, MAX_RANGES).flatMap((entry) => {
    if (!isRecord(entry)) {
      return [];
    }
    const { start, end } = entry;
    if (typeof start !== 'number' || typeof end !== 'number') {
      return [];
    }
    return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start
      ? [{ start, end }]
      : [];
  });
}
