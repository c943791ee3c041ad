// @vitest-environment node
import { expect, test } from 'vitest';
import { decodeHit, decodeHits } from './hit';

const whole = {
  objectID: 'a',
  url: '/docs/a#b',
  pathname: '/docs/a',
  hash: 'b',
  hierarchy: { lvl0: 'Metrics', lvl1: 'A' },
  content: 'text',
  type: 'content',
  score: 2,
  marks: { lvl0: [], lvl1: [{ start: 0, end: 1 }], content: [] },
};

test('a hit keeps what is shown and drops what is not', () => {
  const { score: _, ...shown } = whole;
  expect(decodeHit(whole)).toEqual(shown);
});

test.each([
  ['null', null],
  ['a text', 'hit'],
  ['a list', []],
  ['no hierarchy', { ...whole, hierarchy: undefined }],
  ['a title of another type', { ...whole, hierarchy: { lvl0: 'Metrics', lvl1: 5 } }],
  ['no pathname', { ...whole, pathname: undefined }],
])('%s is no hit', (_, value) => {
  expect(decodeHit(value)).toBeNull();
});

test('ranges that are none are left out', () => {
  const marks = {
    lvl0: 'x',
    lvl1: [
      { start: 1, end: 1 },
      { start: -1, end: 2 },
      { start: 0.5, end: 2 },
      { start: '0', end: 2 },
      null,
      { start: 0, end: 2 },
    ],
  };
  expect(decodeHit({ ...whole, marks })?.marks).toEqual({
    lvl0: [],
    lvl1: [{ start: 0, end: 2 }],
    content: [],
  });
});

test('a list keeps its hits up to the limit, anything else is empty', () => {
  expect(decodeHits([whole, 7, whole, whole], 3)).toHaveLength(2);
  expect(decodeHits({ length: 3 }, 3)).toEqual([]);
});
