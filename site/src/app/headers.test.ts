import { expect, test } from 'vitest';
import type { SearchConfig } from '../shared/content/model';
import { contentSecurityPolicy, headersFile } from './headers';

const search: SearchConfig = {
  mode: 'live-with-fallback',
  apiUrl: 'https://api.example:8443/v1',
  model: 'm',
  key: 'k',
  indexUrl: '/i',
  wasmUrl: '/w',
  siteRoot: '/',
};

test('the page may call the origin of the search server and no other', () => {
  expect(contentSecurityPolicy(search, null, [], [])).toContain(
    "connect-src 'self' https://api.example:8443;",
  );
});

test.each([
  ['in local mode', { ...search, mode: 'local' as const }],
  ['without a search', null],
])('%s the page may call its own origin only', (_, config) => {
  expect(contentSecurityPolicy(config, null, [], [])).toContain("connect-src 'self';");
});

test('the consoles may call the servers of their references, each origin once', () => {
  const servers = ['https://api.example:8443/v2', 'http://127.0.0.1:8787/v1'];
  expect(contentSecurityPolicy(search, null, servers, [])).toContain(
    "connect-src 'self' https://api.example:8443 http://127.0.0.1:8787;",
  );
});

test.each([
  ['https://count.example/views', ' https://count.example;'],
  ['https://api.example:8443/views', ';'],
  ['/views', ';'],
])('page views may be sent to %s', (endpoint, rest) => {
  expect(contentSecurityPolicy(search, endpoint, [], [])).toContain(
    `connect-src 'self' https://api.example:8443${rest}`,
  );
});

test('images come from the site itself and from the sites whose images pages show', () => {
  expect(contentSecurityPolicy(null, null, [], [])).toContain("img-src 'self' data:;");
  expect(contentSecurityPolicy(null, null, [], ['https://images.example'])).toContain(
    "img-src 'self' data: https://images.example;",
  );
});

test('nothing inline and no evaluated strings', () => {
  const policy = contentSecurityPolicy(search, null, [], []);
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).not.toContain("'unsafe-eval'");
  expect(policy).toContain("require-trusted-types-for 'script'");
});

test('below a base the rules name the paths under it', () => {
  const paths = headersFile(null, '/book/', null, [], [])
    .split('\n')
    .filter((line) => line.startsWith('/'));
  expect(paths).toEqual(['/book/*', '/book/assets/*', '/book/sw.js', '/book/search.json']);
});
