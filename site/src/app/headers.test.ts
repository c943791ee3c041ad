import { expect, test } from 'vitest';
import type { SearchConfig } from '../shared/content/model';
import { type Allowed, contentSecurityPolicy, headersFile } from './headers';

const search: SearchConfig = {
  mode: 'live-with-fallback',
  apiUrl: 'https://api.example:8443/v1',
  model: 'm',
  key: 'k',
  wasmUrl: '/w',
  siteRoot: '/',
};

function allowed(changes: Partial<Allowed> = {}): Allowed {
  return {
    search,
    analytics: null,
    servers: [],
    imageOrigins: [],
    inline: { scripts: [], styles: [] },
    ...changes,
  };
}

test('the page may call the origin of the search server and no other', () => {
  expect(contentSecurityPolicy(allowed())).toContain(
    "connect-src 'self' https://api.example:8443;",
  );
});

test.each([
  ['in local mode', { ...search, mode: 'local' as const }],
  ['without a search', null],
])('%s the page may call its own origin only', (_, config) => {
  expect(contentSecurityPolicy(allowed({ search: config }))).toContain("connect-src 'self';");
});

test('the consoles may call the servers of their references, each origin once', () => {
  const servers = ['https://api.example:8443/v2', 'http://127.0.0.1:8787/v1'];
  expect(contentSecurityPolicy(allowed({ servers }))).toContain(
    "connect-src 'self' https://api.example:8443 http://127.0.0.1:8787;",
  );
});

test.each([
  ['https://count.example/views', ' https://count.example;'],
  ['https://api.example:8443/views', ';'],
  ['/views', ';'],
])('page views may be sent to %s', (endpoint, rest) => {
  expect(contentSecurityPolicy(allowed({ analytics: endpoint }))).toContain(
    `connect-src 'self' https://api.example:8443${rest}`,
  );
});

test('what stands in pages is allowed by its hash', () => {
  const policy = contentSecurityPolicy(allowed({ inline: { scripts: ['a'], styles: ['b', ''] } }));
  expect(policy).toContain(
    "script-src 'self' 'wasm-unsafe-eval' 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='; ",
  );
  expect(policy).toContain(
    "style-src 'self' 'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0=' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; ",
  );
});

test('images come from the site itself and from the sites whose images pages show', () => {
  expect(contentSecurityPolicy(allowed())).toContain("img-src 'self' data:;");
  expect(contentSecurityPolicy(allowed({ imageOrigins: ['https://images.example'] }))).toContain(
    "img-src 'self' data: https://images.example;",
  );
});

test('nothing else inline and no evaluated strings', () => {
  const policy = contentSecurityPolicy(allowed());
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).not.toContain("'unsafe-eval'");
  expect(policy).toContain("require-trusted-types-for 'script'");
});

test('below a base the rules name the paths under it', () => {
  const paths = headersFile('/book/', allowed({ search: null }))
    .split('\n')
    .filter((line) => line.startsWith('/'));
  expect(paths).toEqual(['/book/*', '/book/assets/*', '/book/sw.js', '/book/search.json']);
});
