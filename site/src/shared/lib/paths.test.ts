import { expect, test } from 'vitest';
import { canonicalPath, fragmentFile, hrefOf, htmlFile, pathOf } from './paths';

test.each([
  ['/', '/'],
  ['/docs/', '/docs'],
  ['/docs/index.html', '/docs'],
  ['/docs/metrics/ndcg.html', '/docs/metrics/ndcg'],
  ['/docs//metrics/', '/docs/metrics'],
  ['/index.html', '/'],
  ['/docs/index', '/docs/index'],
  ['/docs/html', '/docs/html'],
])('%s is looked up as %s', (pathname, path) => {
  expect(canonicalPath(pathname)).toBe(path);
});

test('a base is added to paths and taken off again', () => {
  expect(hrefOf('/', '/docs')).toBe('/docs');
  expect(hrefOf('/book/', '/docs')).toBe('/book/docs');
  expect(hrefOf('/book/', '/')).toBe('/book/');
  expect(pathOf('/book/', '/book/docs')).toBe('/docs');
  expect(pathOf('/book/', '/book')).toBe('/');
  expect(pathOf('/book/', '/bookshop')).toBeNull();
});

test('every page has a file for its data and one for its HTML', () => {
  expect(fragmentFile('/')).toBe('index.json');
  expect(fragmentFile('/docs/a')).toBe('docs/a.json');
  expect(htmlFile('/')).toBe('index.html');
  expect(htmlFile('/docs/a')).toBe('docs/a/index.html');
});
