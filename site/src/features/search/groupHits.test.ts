// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { groupHits, hitsOf, namedFirst } from './groupHits';
import { hitAt } from './testHits';

function check(hits: [string, string, string][]) {
  return groupHits(hits.map(([lvl0, lvl1, path]) => hitAt(path, { lvl0, lvl1 }))).map((group) => [
    group.lvl0,
    ...group.pages.map((page) => [page.lvl1, ...page.hits.map((hit) => hit.objectID)]),
  ]);
}

test('hits come together by section and by page, in the order of the best of each', () => {
  expect(
    check([
      ['Metrics', 'nDCG', '/a#1'],
      ['Connectors', 'Kafka', '/k'],
      ['Metrics', 'Recall', '/r'],
      ['Metrics', 'nDCG', '/a#2'],
    ]),
  ).toEqual([
    ['Metrics', ['nDCG', '/a#1', '/a#2'], ['Recall', '/r']],
    ['Connectors', ['Kafka', '/k']],
  ]);
});

test('a section shows five hits', () => {
  const hits = Array.from({ length: 10 }, (_, n) => hitAt(`/p${n}`));
  expect(hitsOf(groupHits(hits)).map((hit) => hit.objectID)).toEqual([
    '/p0',
    '/p1',
    '/p2',
    '/p3',
    '/p4',
  ]);
});

test('no hits, no groups', () => {
  expect(check([])).toEqual([]);
});

describe('a page whose name was typed', () => {
  const marked = (path: string, lvl1: string, start = 0, end = lvl1.length) => {
    const hit = hitAt(path, { lvl1 });
    return { ...hit, marks: { ...hit.marks, lvl1: [{ start, end }] } };
  };
  const order = (query: string, hits: Parameters<typeof namedFirst>[0]) =>
    namedFirst(hits, query).map(({ objectID }) => objectID);
  const hits = [
    marked('/other#x', 'Other'),
    marked('/quickstart#next', 'Quickstart'),
    marked('/third', 'Third', 0, 2),
    marked('/quickstart', 'Quickstart'),
    marked('/quickstart#end', 'Quickstart'),
  ];

  test('comes before its sections, and no page before another', () => {
    for (const query of ['quickstart', ' Quikstart ']) {
      expect(order(query, hits)).toEqual([
        '/other#x',
        '/quickstart',
        '/quickstart#next',
        '/third',
        '/quickstart#end',
      ]);
    }
  });

  test('may be called by either name of its title', () => {
    const title = 'Hit rate (HR)';
    const found = (start: number, end: number) => [
      marked('/hr#interval', title, start, end),
      marked('/hr', title, start, end),
    ];
    for (const [query, start, end] of [
      ['hit rate', 0, 8],
      ['hr', 10, 12],
      ['hit rate hr', 0, 13],
    ] as const) {
      expect(order(query, found(start, end))).toEqual(['/hr', '/hr#interval']);
    }
    for (const [query, start, end] of [
      ['hit rate interval', 0, 8],
      ['rate', 4, 8],
      ['h', 10, 11],
    ] as const) {
      expect(order(query, found(start, end))).toEqual(['/hr#interval', '/hr']);
    }
  });

  test('is left where it is when more was typed, or a part of the name', () => {
    const ids = hits.map(({ objectID }) => objectID);
    expect(order('quickstart next', hits)).toEqual(ids);
    const half = [marked('/a#b', 'Custom dataset', 0, 6), marked('/a', 'Custom dataset', 0, 6)];
    expect(order('custom', half)).toEqual(['/a#b', '/a']);
    expect(order('', [hitAt('/a#b'), hitAt('/a')])).toEqual(['/a#b', '/a']);
  });

  test('is first where it is, and last where nothing else of it is there', () => {
    expect(order('other', [marked('/other', 'Other'), marked('/other#x', 'Other')])).toEqual([
      '/other',
      '/other#x',
    ]);
    expect(order('other', [marked('/a#b', 'A', 0, 0), marked('/other', 'Other')])).toEqual([
      '/a#b',
      '/other',
    ]);
  });
});
