import { expect, test } from 'vitest';
import type { SearchConfig } from '../shared/content/model';
import { type Allowed, contentSecurityPolicy, headersFile } from './headers';

const search: SearchConfig = {
  mode: 'live-with-fallback',
  apiUrl: 'https://api.example:8443/v1',
  model: 'm',
  key: 'k',
  wasmUrl: '/w',
  languages: [],
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

test('what is not named is forbidden: no evaluated strings, no frames, no forms, no other base', () => {
  const policy = contentSecurityPolicy(allowed({ search: null }));
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types siftwren-page siftwren-sw siftwren-worker',
  ]);
});

test('below a base the rules name the paths under it', () => {
  const file = headersFile('/book/', allowed({ search: null }));
  const rules = new Map(
    file.split('\n\n').map((rule) => {
      const [path = '', ...headers] = rule.trim().split(/\n\s*/);
      return [path, headers] as const;
    }),
  );
  expect([...rules.keys()]).toEqual([
    '/book/*',
    '/book/assets/*',
    '/book/sw.js',
    '/book/search.json',
  ]);
  expect(rules.get('/book/*')).toEqual(
    expect.arrayContaining([
      `Content-Security-Policy: ${contentSecurityPolicy(allowed({ search: null }))}`,
      'X-Content-Type-Options: nosniff',
      'Referrer-Policy: no-referrer',
      'Cross-Origin-Opener-Policy: same-origin',
    ]),
  );
  expect(rules.get('/book/assets/*')).toEqual([
    'Cache-Control: public, max-age=31536000, immutable',
  ]);
  for (const path of ['/book/sw.js', '/book/search.json']) {
    expect(rules.get(path)).toEqual(['Cache-Control: no-cache']);
  }
});
