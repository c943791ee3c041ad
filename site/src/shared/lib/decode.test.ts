import { expect, test } from 'vitest';
import { array, nullable, object, oneOf, string } from './decode';

const page = object<{ path: string; level: 2 | 3; tags: string[]; note: string | null }>({
  path: string,
  level: oneOf(2, 3),
  tags: array(string),
  note: nullable(string),
});

test('keeps the named fields and reads a missing optional one as null', () => {
  const value = { path: '/a', level: 3, tags: ['x'], other: true };
  expect(page(value, 'page')).toEqual({ path: '/a', level: 3, tags: ['x'], note: null });
});

test.each([
  [{ level: 2, tags: [] }, 'page.path: expected a string, found nothing'],
  [{ path: '/a', level: 4, tags: [] }, 'page.level: expected one of 2, 3, found 4'],
  [{ path: '/a', level: 2, tags: ['x', 1] }, 'page.tags[1]: expected a string, found 1'],
  [[], 'page: expected an object, found a list'],
  [null, 'page: expected an object, found null'],
])('says where the wrong value stands: %j', (value, message) => {
  expect(() => page(value, 'page')).toThrow(message);
});
