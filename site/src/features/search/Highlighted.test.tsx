import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { Highlighted } from './Highlighted';

afterEach(cleanup);

function check(text: string, ranges: [number, number][]) {
  const { container } = render(
    <Highlighted text={text} ranges={ranges.map(([start, end]) => ({ start, end }))} />,
  );
  return container;
}

function marked(container: Element): (string | null)[] {
  return [...container.querySelectorAll('mark')].map((mark) => mark.textContent);
}

test('ranges are marked, in UTF-16 units of the text as it is', () => {
  expect(
    marked(
      check('nDCG and İstanbul 🐦 wren', [
        [0, 4],
        [21, 25],
      ]),
    ),
  ).toEqual(['nDCG', 'wren']);
});

test('overlapping, doubled and overlong ranges neither lose nor double text', () => {
  const container = check('abcdef', [
    [3, 99],
    [1, 4],
    [1, 4],
  ]);
  expect(container.textContent).toBe('abcdef');
  expect(marked(container)).toEqual(['bcd', 'ef']);
});

test('a range behind the text marks nothing', () => {
  expect(marked(check('abc', [[50, 60]]))).toEqual([]);
});

test('markup in the text stays text', () => {
  const container = check('<img src=x onerror=alert(1)>', [[1, 4]]);
  expect(container.textContent).toBe('<img src=x onerror=alert(1)>');
  expect(container.querySelector('img')).toBeNull();
});

test('for any text and any ranges: the same text, and no element but mark', () => {
  const markup = fc.constantFrom(
    '<',
    '>',
    '&lt;',
    '<script>',
    '</mark>',
    '"',
    "'",
    '&',
    '{',
    '🐦',
    'İ',
    'a',
    ' ',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(markup).map((parts) => parts.join('')),
  );
  const range = fc.record({
    start: fc.integer({ min: -3, max: 40 }),
    end: fc.integer({ min: -3, max: 40 }),
  });
  const { container, rerender } = render(null);
  fc.assert(
    fc.property(text, fc.array(range, { maxLength: 6 }), (hit, ranges) => {
      rerender(<Highlighted text={hit} ranges={ranges} />);
      expect(container.textContent).toBe(hit);
      expect(
        [...container.querySelectorAll('*')].every((element) => element.tagName === 'MARK'),
      ).toBe(true);
    }),
    { numRuns: 200 },
  );
}, 30_000);
