import { afterEach, expect, test, vi } from 'vitest';
import { checkScriptUrl, createScriptUrlPolicy } from './trustedScriptUrl';

afterEach(() => {
  vi.unstubAllGlobals();
});

const BASE = 'https://docs.test/docs/page';

test('scripts of this site pass, as absolute addresses', () => {
  expect(checkScriptUrl('/assets/worker.js', BASE)).toBe('https://docs.test/assets/worker.js');
});

test.each([
  'https://evil.test/worker.js',
  '//evil.test/worker.js',
  '/\\evil.test/worker.js',
  'data:text/javascript,1',
  'blob:https://docs.test/1',
  'javascript:1',
  'http://docs.test/worker.js',
])('%s is refused', (url) => {
  expect(() => checkScriptUrl(url, BASE)).toThrow(TypeError);
});

test('under Trusted Types the address is the one that the policy made', () => {
  const trusted = { trusted: true };
  const names: string[] = [];
  vi.stubGlobal('trustedTypes', {
    createPolicy(name: string) {
      names.push(name);
      return { createScriptURL: () => trusted };
    },
  });
  const toUrl = createScriptUrlPolicy('siftwren-worker');
  expect(toUrl('/worker.js')).toBe(trusted);
  toUrl('/worker.js');
  expect(names).toEqual(['siftwren-worker']);
});
