/**
 * The hits that the reader may want again: those opened last, and those kept as favorites.
 *
 * Every change starts from what is stored, so that two windows do not undo each other. Where the
 * browser does not keep it (full or blocked storage), it lasts as long as the page.
 */
import { decodeHits, type Hit } from '../../platform/hit';
import type { JsonStorage } from '../../platform/storage';
import { linkOf } from './hitLink';
import { FAVORITE_SEARCHES, RECENT_SEARCHES, RECENT_SEARCHES_BESIDE_FAVORITES } from './limits';

const RECENTS_KEY = 'siftwren.search.recent';
const FAVORITES_KEY = 'siftwren.search.favorites';

/** The newest first, each place once. */
export interface Saved {
  readonly recents: readonly Hit[];
  readonly favorites: readonly Hit[];
}

interface SavedSearches {
  read(): Saved;
  change(step: (saved: Saved) => Saved): Saved;
}

export function createSavedSearches(storage: JsonStorage, siteRoot: string): SavedSearches {
  let latest: Saved = { recents: [], favorites: [] };
  let isStored = true;

  /** Storage is as foreign as the network: only what still leads to a place of this site is of use. */
  function readList(key: string, max: number): Hit[] {
    const decode = (value: unknown) =>
      decodeHits(value, max).filter((hit) => linkOf(hit, siteRoot) !== null);
    return withoutDoubles(storage.read(key, decode) ?? []);
  }

  function read(): Saved {
    if (isStored) {
      latest = bounded({
        recents: readList(RECENTS_KEY, RECENT_SEARCHES),
        favorites: readList(FAVORITES_KEY, FAVORITE_SEARCHES),
      });
    }
    return latest;
  }

  return {
    read,
    change(step) {
      latest = bounded(step(read()));
      const areKept = [
        storage.write(RECENTS_KEY, latest.recents),
        storage.write(FAVORITES_KEY, latest.favorites),
      ];
      isStored = areKept.every(Boolean);
      return latest;
    },
  };
}

/** A hit that was opened; a favorite stays where it is. */
export function withRecent(saved: Saved, hit: Hit): Saved {
  return has(saved.favorites, hit)
    ? saved
    : { ...saved, recents: [plain(hit), ...without(saved.recents, hit)] };
}

export function withoutRecent(saved: Saved, hit: Hit): Saved {
  return { ...saved, recents: without(saved.recents, hit) };
}

/** Moves a recent search to the favorites. */
export function withFavorite(saved: Saved, hit: Hit): Saved {
  return {
    recents: without(saved.recents, hit),
    favorites: [plain(hit), ...without(saved.favorites, hit)],
  };
}

export function withoutFavorite(saved: Saved, hit: Hit): Saved {
  return { ...saved, favorites: without(saved.favorites, hit) };
}

function bounded({ recents, favorites }: Saved): Saved {
  const most = favorites.length === 0 ? RECENT_SEARCHES : RECENT_SEARCHES_BESIDE_FAVORITES;
  return {
    recents: recents.filter((hit) => !has(favorites, hit)).slice(0, most),
    favorites: favorites.slice(0, FAVORITE_SEARCHES),
  };
}

/** What was marked in it belongs to the query of that time. */
function plain(hit: Hit): Hit {
  return { ...hit, marks: { lvl0: [], lvl1: [], content: [] } };
}

function has(hits: readonly Hit[], hit: Hit): boolean {
  return hits.some((other) => leadToSamePlace(other, hit));
}

function without(hits: readonly Hit[], hit: Hit): Hit[] {
  return hits.filter((other) => !leadToSamePlace(other, hit));
}

function withoutDoubles(hits: readonly Hit[]): Hit[] {
  return hits.filter(
    (hit, index) => hits.findIndex((other) => leadToSamePlace(other, hit)) === index,
  );
}

export function leadToSamePlace(one: Hit, other: Hit): boolean {
  return one.pathname === other.pathname && one.hash === other.hash;
}
