import { expect, test } from 'vitest';
import { formatDate } from './dates';

test.each([
  ['2026-11-21', '21 November 2026'],
  ['2026-01-02', '2 January 2026'],
  ['2026-13-02', '2026-13-02'],
  ['yesterday', 'yesterday'],
])('%s reads as %s', (date, text) => {
  expect(formatDate(date)).toBe(text);
});
