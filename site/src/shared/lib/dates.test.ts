import { expect, test } from 'vitest';
import { formatDate } from './dates';

test.each([
  ['2026-11-21', 'en', '21 November 2026'],
  ['2026-01-02', 'en-US', '2 January 2026'],
  ['2026-01-02', 'de', '2. Januar 2026'],
  ['2026-11-01', 'ja', '2026年11月1日'],
  ['2026-13-02', 'de', '2026-13-02'],
  ['yesterday', 'en', 'yesterday'],
])('%s in %s reads as %s', (date, language, text) => {
  expect(formatDate(date, language)).toBe(text);
});
