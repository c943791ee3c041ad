// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Hit } from '../../platform/hit';
import type { JsonStorage } from '../../platform/storage';
import {
  createSavedSearches,
  type Saved,
  withFavorite,
  withoutFavorite,
  withoutRecent,
  withRecent,
} from './savedSearches';
import { hitAt } from './testHits';

const page = (number: number): Hit => hitAt(`/docs/${number}`);

/** Storage as a browser has it: text by key, possibly refusing to take more. */
function area(stored: Record<string, string> = {}) {
  const kept = new Map(Object.entries(stored));
  let isFull = false;
  const storage: JsonStorage = {
    read(key, decode) {
      const text = kept.get(key);
      return text === undefined ? null : decode(JSON.parse(text));
    },
    write(key, value) {
      if (!isFull) kept.set(key, JSON.stringify(value));
      return !isFull;
    },
  };
  return {
    storage,
    fill: (full: boolean) => {
      isFull = full;
    },
  };
}

function shown({ recents, favorites }: Saved): string {
  const names = (hits: readonly Hit[]) => hits.map((hit) => hit.objectID.slice(6)).join(' ');
  return `${names(recents)} | ${names(favorites)}`;
}

test('seven recent searches, four as soon as there is a favorite', () => {
  const saved = createSavedSearches(area().storage, '/');
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
    saved.change((before) => withRecent(before, page(number)));
  }
  expect(shown(saved.read())).toBe('8 7 6 5 4 3 2 | ');
  saved.change((before) => withFavorite(before, page(6)));
  expect(shown(saved.read())).toBe('8 7 5 4 | 6');
  saved.change((before) => withRecent(before, page(9)));
  expect(shown(saved.read())).toBe('9 8 7 5 | 6');
});

test('a favorite that is opened again does not become a recent search', () => {
  const saved = createSavedSearches(area().storage, '/');
  saved.change((before) => withFavorite(before, page(1)));
  saved.change((before) => withRecent(before, page(1)));
  expect(shown(saved.read())).toBe(' | 1');
});

test('ten favorites, and each list gives up what is removed from it', () => {
  const saved = createSavedSearches(area().storage, '/');
  for (let number = 1; number <= 11; number += 1) {
    saved.change((before) => withFavorite(before, page(number)));
  }
  expect(shown(saved.read())).toBe(' | 11 10 9 8 7 6 5 4 3 2');
  saved.change((before) => withoutFavorite(before, page(7)));
  saved.change((before) => withRecent(before, page(7)));
  expect(shown(saved.read())).toBe('7 | 11 10 9 8 6 5 4 3 2');
  saved.change((before) => withoutRecent(before, page(7)));
  expect(shown(saved.read())).toBe(' | 11 10 9 8 6 5 4 3 2');
});

test('two windows do not undo each other', () => {
  const { storage } = area();
  const one = createSavedSearches(storage, '/');
  const other = createSavedSearches(storage, '/');
  one.read();
  other.change((before) => withFavorite(before, page(1)));
  one.change((before) => withRecent(before, page(2)));
  expect(shown(other.read())).toBe('2 | 1');
});

test('full storage: it lasts as long as the page, and is stored when there is room', () => {
  const { storage, fill } = area();
  const saved = createSavedSearches(storage, '/');
  saved.change((before) => withRecent(before, page(1)));
  fill(true);
  saved.change((before) => withRecent(before, page(2)));
  expect(shown(saved.read())).toBe('2 1 | ');
  expect(shown(createSavedSearches(storage, '/').read())).toBe('1 | ');
  fill(false);
  saved.change((before) => withRecent(before, page(3)));
  expect(shown(createSavedSearches(storage, '/').read())).toBe('3 2 1 | ');
});

describe('what is stored may be anything', () => {
  const KEYS = ['siftwren.search.recent', 'siftwren.search.favorites'];

  test.each([
    ['a million entries', JSON.stringify(Array.from({ length: 1_000_000 }, () => 7))],
    ['the same place many times', JSON.stringify(Array.from({ length: 50 }, () => page(1)))],
  ])('%s', (_, text) => {
    const { storage } = area(Object.fromEntries(KEYS.map((key) => [key, text])));
    const { recents, favorites } = createSavedSearches(storage, '/').read();
    expect(recents.length).toBeLessThanOrEqual(1);
    expect(favorites.length).toBeLessThanOrEqual(1);
  });

  test('any JSON: never more than the limits, never twice, never off the site', () => {
    const addresses = fc.constantFrom(
      '/a',
      '/b',
      '/c?d',
      'javascript:x',
      '//evil.test',
      '/\\e.test',
    );
    const likely = fc.record({
      objectID: fc.string(),
      url: fc.string(),
      pathname: addresses,
      hash: fc.string(),
      hierarchy: fc.record({ lvl0: fc.string(), lvl1: fc.string() }),
      content: fc.oneof(fc.string(), fc.integer()),
    });
    const list = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(likely, fc.jsonValue())));
    fc.assert(
      fc.property(list, list, (recent, favorite) => {
        const { storage } = area({
          [KEYS[0] ?? '']: JSON.stringify(recent),
          [KEYS[1] ?? '']: JSON.stringify(favorite),
        });
        const { recents, favorites } = createSavedSearches(storage, '/').read();
        expect(favorites.length).toBeLessThanOrEqual(10);
        expect(recents.length).toBeLessThanOrEqual(favorites.length === 0 ? 7 : 4);
        const all = [...recents, ...favorites];
        expect(new Set(all.map((hit) => `${hit.pathname}#${hit.hash}`)).size).toBe(all.length);
        for (const hit of all) {
          expect(hit.pathname).toMatch(/^\/(?![/\\])/);
        }
      }),
      { numRuns: 300 },
    );
  });
});
