// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest';
import { localJsonStorage } from './storage';

afterEach(() => {
  vi.unstubAllGlobals();
});

const decodeNumbers = (value: unknown) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'number') ? value : null;

function stubStorage(area: Partial<Storage>) {
  vi.stubGlobal('localStorage', area);
}

test('what is written can be read back', () => {
  const kept = new Map<string, string>();
  stubStorage({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  });
  expect(localJsonStorage.write('numbers', [1, 2])).toBe(true);
  expect(localJsonStorage.read('numbers', decodeNumbers)).toEqual([1, 2]);
});

test.each([
  ['nothing', null],
  ['half of a JSON text', '[1,'],
  ['another shape', '{"1":2}'],
  ['null', 'null'],
])('%s under the key reads as null', (_, text) => {
  stubStorage({ getItem: () => text });
  expect(localJsonStorage.read('numbers', decodeNumbers)).toBeNull();
});

test('blocked storage reads as null and keeps nothing', () => {
  const blocked = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  stubStorage({ getItem: blocked, setItem: blocked });
  expect(localJsonStorage.read('numbers', decodeNumbers)).toBeNull();
  expect(localJsonStorage.write('numbers', [1])).toBe(false);
});

test('full storage says that it did not keep the value', () => {
  stubStorage({
    setItem() {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  expect(localJsonStorage.write('numbers', [1])).toBe(false);
});
