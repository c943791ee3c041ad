import { expect, test } from 'vitest';
import { connectionOf } from './connection';

test.each([
  [{}, 'unknown'],
  [{ connection: { effectiveType: '4g', saveData: false } }, 'good'],
  [{ connection: { effectiveType: '3g' } }, 'unknown'],
  [{ connection: { effectiveType: '2g' } }, 'poor'],
  [{ connection: { effectiveType: 'slow-2g' } }, 'poor'],
  [{ connection: { effectiveType: '4g', saveData: true } }, 'poor'],
])('%j is a connection of the kind %s', (navigator, kind) => {
  expect(connectionOf(navigator)).toBe(kind);
});
