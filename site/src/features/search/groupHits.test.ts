// @vitest-environment node
import { expect, test } from 'vitest';
import { groupHits, hitsOf } from './groupHits';
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
