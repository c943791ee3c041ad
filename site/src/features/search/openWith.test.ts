import { beforeEach, expect, test } from 'vitest';
import type { Hit } from '../../platform/hit';
import { openWith } from './openWith';
import type { SearchStore } from './searchState';
import { createSearchStore } from './searchStore';
import { hitAt } from './testHits';

let store: SearchStore;
let asked: string[];
let opened: [string, string][];
let answer: () => void;

beforeEach(() => {
  asked = [];
  opened = [];
  const nothing = { status: 'failed', reason: 'http', detail: '' } as const;
  store = createSearchStore({
    mode: 'local',
    siteRoot: '/',
    suggestions: [],
    live: null,
    engine: {
      search: (query) => {
        asked.push(query);
        return new Promise((resolve) => {
          const hits: Hit[] = [hitAt(`/docs/${query}`)];
          answer = () => resolve({ status: 'answered', hits, isRefinable: false });
        });
      },
      refine: () => Promise.resolve(nothing),
      alternatives: () => Promise.resolve(null),
      mapHits: () => Promise.resolve(nothing),
      warm: () => Promise.resolve({ status: 'answered', hits: [], isRefinable: false }),
    },
    storage: { read: () => null, write: () => false },
    snippetWords: () => 10,
    openLink: (link, how) => void opened.push([link.href, how]),
    report() {},
  });
});

/** Letters one by one; what is longer is the name of a key. */
function press(query: string, ...keys: (string | KeyboardEventInit)[]): void {
  const events = keys.map(
    (key) => new KeyboardEvent('keydown', typeof key === 'string' ? { key } : key),
  );
  openWith(store, query, events);
}

async function answered(): Promise<void> {
  answer();
  await new Promise((resolve) => setTimeout(resolve));
}

test('with nothing pressed it is open and asks nothing', () => {
  press('');
  expect(store.getState()).toMatchObject({ isOpen: true, query: '', isQueryKept: false });
  expect(asked).toEqual([]);
});

test('letters are one query, from the one that was asked for', () => {
  press('re', 'c', 'x', 'Backspace', 'a', '𐐀', 'Backspace', 'l');
  expect(store.getState().query).toBe('recal');
  expect(asked).toEqual(['recal']);
});

test('Enter waits for the answer, as it does in the open search', async () => {
  press('', 'a', 'b', 'Enter');
  expect([store.getState().isOpen, opened]).toEqual([true, []]);
  await answered();
  expect(opened).toEqual([['/docs/ab', 'here']]);
  expect(store.getState().isOpen).toBe(false);
});

test.each<[KeyboardEventInit, string]>([
  [{ ctrlKey: true }, 'tab'],
  [{ metaKey: true }, 'tab'],
  [{ shiftKey: true }, 'window'],
])('Enter with %j opens elsewhere, and the search stays', async (modifiers, how) => {
  press('', 'a', { key: 'Enter', ...modifiers });
  await answered();
  expect(opened).toEqual([['/docs/a', how]]);
  expect(store.getState().isOpen).toBe(true);
});

test('whoever types on after Enter has not chosen yet', async () => {
  press('', 'a', 'Enter', 'b');
  expect(asked).toEqual(['a', 'ab']);
  await answered();
  expect([store.getState().isOpen, opened]).toEqual([true, []]);
});

test('what is erased after Enter is erased, and nothing is chosen', async () => {
  press('', 'a', 'Enter', 'Backspace');
  await answered();
  expect(store.getState()).toMatchObject({ isOpen: true, query: '' });
  expect(opened).toEqual([]);
});

test.each([
  [['ArrowDown'], 'ndcg'],
  [['ArrowUp'], 'mrr'],
  [['ArrowUp', 'ArrowUp'], 'recall'],
] as const)('%j', (arrows, page) => {
  for (const path of ['mrr', 'recall', 'ndcg']) {
    store.getState().remember(hitAt(`/docs/metrics/${path}`));
  }
  press('', ...arrows, 'Enter');
  expect(opened).toEqual([[`/docs/metrics/${page}`, 'here']]);
});

test('arrows walk through what was opened last; what follows the choice is no key of the search', () => {
  for (const page of ['recall', 'ndcg']) store.getState().remember(hitAt(`/docs/metrics/${page}`));
  press('', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'Enter', 'x');
  expect(opened).toEqual([['/docs/metrics/recall', 'here']]);
  expect(store.getState()).toMatchObject({ isOpen: false, query: '' });
});

test('Enter that is held down since it asked for the search chooses nothing', async () => {
  press('recall', { key: 'Enter', repeat: true });
  await answered();
  expect([store.getState().isOpen, opened]).toEqual([true, []]);
});

test('what is open is left as it is', async () => {
  press('', 'a');
  press('');
  expect(store.getState().query).toBe('a');
});
