import { expect, test } from 'vitest';
import { manifest } from './manifest';

const smallest = {
  version: 1,
  site: { title: 'Folder', base: '/' },
  content: { route_prefix: '', landing: null },
  search: {
    mode: 'local',
    api_url: null,
    model: null,
    index: 'search/core.00000000.bin',
    files: [{ name: 'core.00000000.bin', bytes: 1, kind: 'core' }],
  },
  footer: null,
  sidebar: [{ id: 'a', title: 'A', path: null, items: [{ path: '/a/b', title: 'B' }] }],
  pages: [{ path: '/a/b', section: 'a', data: 'pages/a/b.json' }],
};

test('a folder without a configuration is enough', () => {
  const decoded = manifest(smallest, 'manifest.json');
  expect(decoded.navbar).toBeNull();
  expect(decoded.announcement).toBeNull();
  expect(decoded.footer).toEqual({ text: null, links: [] });
  expect(decoded.sidebar[0]?.items).toEqual([{ path: '/a/b', title: 'B', items: [] }]);
});

test.each([
  [{ ...smallest, version: 2 }, 'manifest.json.version: expected one of 1, found 2'],
  [{ ...smallest, navbar: [{ label: 'x' }] }, 'manifest.json.navbar[0]: expected either'],
  [
    { ...smallest, navbar: [{ label: 'x', to: '/a', href: 'https://b.example' }] },
    'manifest.json.navbar[0]: expected either',
  ],
  [
    { ...smallest, search: { ...smallest.search, mode: 'hybrid' } },
    'manifest.json.search.mode: expected one of live, local, live-with-fallback',
  ],
])('says what is wrong and where (%#)', (value, message) => {
  expect(() => manifest(value, 'manifest.json')).toThrow(message);
});
