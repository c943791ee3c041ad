import { expect, test } from 'vitest';
import { currentHeading, followReading, readingLine } from './readingPosition';

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

test('the menu and the table of contents mark the part being read, and neither after leaving', async () => {
  document.body.innerHTML = `
    <nav data-menu><a href="/">Start</a><a href="/elsewhere#first">Other page</a><a id="m" href="#first">First</a></nav>
    <nav data-toc><a id="t" href="#first">First</a><a href="#second">Second</a></nav>
    <h2 id="first"></h2><h2 id="second"></h2>`;
  const below = () => new DOMRect(0, 10_000, 0, 0);
  Object.assign(document.getElementById('second') ?? {}, { getBoundingClientRect: below });
  const marked = () =>
    [...document.querySelectorAll('[aria-current=location]')].map(({ id }) => id);
  const stop = followReading(window);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(marked()).toEqual(['m', 't']);
  stop();
  expect(marked()).toEqual([]);
});
