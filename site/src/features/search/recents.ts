/** The reader's recent searches: the hits that were opened last, the newest first. */
import { decodeHits, type Hit } from '../../platform/hit';
import type { JsonStorage } from '../../platform/storage';
import { linkOf } from './hitLink';
import { RECENT_SEARCHES } from './limits';

const STORAGE_KEY = 'siftwren.search.recent';

/** What is stored, as far as it is still of use; storage is as foreign as the network. */
export function readRecents(storage: JsonStorage, siteRoot: string): Hit[] {
  const decode = (value: unknown) =>
    decodeHits(value, RECENT_SEARCHES).filter((hit) => linkOf(hit, siteRoot) !== null);
  return storage.read(STORAGE_KEY, decode) ?? [];
}

export function writeRecents(storage: JsonStorage, recents: readonly Hit[]): boolean {
  return storage.write(STORAGE_KEY, recents);
}

export function withRecent(recents: readonly Hit[], hit: Hit): Hit[] {
  const plain: Hit = { ...hit, marks: { lvl0: [], lvl1: [], content: [] } };
  return [plain, ...withoutRecent(recents, hit)].slice(0, RECENT_SEARCHES);
}

export function withoutRecent(recents: readonly Hit[], hit: Hit): Hit[] {
  return recents.filter((other) => !leadsToSamePlace(other, hit));
}

function leadsToSamePlace(one: Hit, other: Hit): boolean {
  return one.pathname === other.pathname && one.hash === other.hash;
}
