import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultOf, indented } from './jsonText';

test.each([
  ['{"id":9007199254740993}', '{\n  "id": 9007199254740993\n}'],
  ['[1.0,1e400,-0,1E+2]', '[\n  1.0,\n  1e400,\n  -0,\n  1E+2\n]'],
  ['{"a":1,"a":2}', '{\n  "a": 1,\n  "a": 2\n}'],
  ['{"b":1,"10":2,"9":3}', '{\n  "b": 1,\n  "10": 2,\n  "9": 3\n}'],
  ['"\\u00e9\\/"', '"\\u00e9\\/"'],
  ['{"a":{},"b":[ ],"c":[{}]}', '{\n  "a": {},\n  "b": [],\n  "c": [\n    {}\n  ]\n}'],
  [' true\n', 'true'],
  ['', null],
  ['<p>no</p>', null],
  ['{"a":1}{"a":2}', null],
  ['NaN', null],
])('%j is laid out with its literals as they were sent', (text, laidOut) => {
  expect(indented(text)).toBe(laidOut);
});

test('any value looks as JSON.stringify lays it out', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('what JSON.parse takes has no fault, and nothing else', () => {
  const part = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '\\u12', '0', '1', '-', '.5', 'e+', 'E'],
    ...['true', 'nul', ' ', '\n', '\u2028', '\u0001', 'é'],
  );
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.nat(3), fc.array(part, { maxLength: 2 }))
    .map(([text, at, length, put]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put.join('') + text.slice(start + length);
    });
  const pieces = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(broken, pieces), (text) => {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(faultOf(text) === null).toBe(isJson);
    }),
    { numRuns: 3000 },
  );
});

test('nesting may be deep', () => {
  const text = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(faultOf(text)).toBeNull();
  expect(indented(text)?.length).toBeLessThan(20_000_000);
});
