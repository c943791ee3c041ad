/** Hits in the order in which they are shown: by section of the docs, within it by page. */
import type { Hit } from '../../platform/hit';
import { HITS_PER_LVL0, HITS_PER_LVL1 } from './limits';

export interface HitGroup {
  readonly lvl0: string;
  readonly pages: readonly HitPage[];
}

interface HitPage {
  readonly lvl1: string;
  readonly hits: readonly Hit[];
}

/** Groups keep the order of their best hit, so the first hit shown is the best of all. */
export function groupHits(hits: readonly Hit[]): HitGroup[] {
  const groups = new Map<string, { size: number; pages: Map<string, Hit[]> }>();
  for (const hit of hits) {
    const { lvl0, lvl1 } = hit.hierarchy;
    const group = entry(groups, lvl0, () => ({ size: 0, pages: new Map<string, Hit[]>() }));
    const page = entry(group.pages, lvl1, () => []);
    if (group.size < HITS_PER_LVL0 && page.length < HITS_PER_LVL1) {
      group.size += 1;
      page.push(hit);
    }
  }
  return [...groups].map(([lvl0, group]) => ({
    lvl0,
    pages: [...group.pages]
      .filter(([, pageHits]) => pageHits.length > 0)
      .map(([lvl1, pageHits]) => ({ lvl1, hits: pageHits })),
  }));
}

/**
 * The same hits; a page whose name the reader has typed comes before its sections. Each of these has the name too, and of many one
 * says it more often. The order of the pages is left to the ranking.
 */
export function namedFirst(hits: readonly Hit[], query: string): Hit[] {
  const words = wordsIn(query);
  const isName = (hit: Hit) =>
    namesIn(hit.hierarchy.lvl1).some(
      (name) => wordsIn(name.text) >= words && isMarked(name, hit.marks.lvl1),
    );
  const named = hits.filter((hit) => hit.hash === '' && isName(hit));
  const placed = hits.filter((hit) => !named.includes(hit));
  for (const page of named) {
    const before = hits.findIndex(({ pathname }) => pathname === page.pathname);
    const sibling = placed.findIndex((hit) => hits.indexOf(hit) >= before);
    placed.splice(sibling < 0 ? placed.length : sibling, 0, page);
  }
  return placed;
}

interface Name {
  readonly text: string;
  /** Where it begins in the title. */
  readonly start: number;
}

/** A title, and both names of one such as `Hit rate (HR)`. */
function namesIn(title: string): Name[] {
  const whole = { text: title, start: 0 };
  const [, name, short] = /^(.+?)\s*\(([^()]+)\)$/u.exec(title) ?? [];
  return name === undefined || short === undefined
    ? [whole]
    : [whole, { text: name, start: 0 }, { text: short, start: title.length - short.length - 1 }];
}

function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** Whether all letters of a name are marked as found. */
function isMarked({ text, start }: Name, marks: Hit['marks']['lvl1']): boolean {
  const isLetter = /[\p{L}\p{N}]/u;
  const isInMark = (at: number) => marks.some((mark) => mark.start <= at && at < mark.end);
  return (
    text !== '' &&
    Array.from({ length: text.length }, (_, at) => at).every(
      (at) => !isLetter.test(text[at] ?? '') || isInMark(start + at),
    )
  );
}

export function hitsOf(groups: readonly HitGroup[]): Hit[] {
  return groups.flatMap((group) => group.pages.flatMap((page) => page.hits));
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) {
    return existing;
  }
  const made = make();
  map.set(key, made);
  return made;
}
