import { expect, test } from 'vitest';
import { currentHeading, readingLine } from './readingPosition';

test.each([
  [[100, 500, 900], 300, 0],
  [[-400, 20, 600], 300, 1],
  [[-900, -500, -100], 300, 2],
  [[400, 800], 300, -1],
  [[], 300, -1],
])(
  'with headings at %j and the line at %i, the one being read has the index %i',
  (tops, line, index) => {
    expect(currentHeading(tops, line)).toBe(index);
  },
);

test.each([
  [5000, 300],
  [900, 300],
  [450, 600],
  [0, 900],
])('with %i px below the window of 900 the line is at %i', (below, line) => {
  expect(readingLine(900, below)).toBe(line);
});
