import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Locale, SearchConfig } from '../../shared/content/model';
import { openSearch, SearchRoot, warmSearch } from './index';
import { searchProblem } from './searchProblem';

vi.mock('../../platform/searchWorkerPort', () => ({
  startSearchWorker() {
    throw new TypeError('there are no workers here');
  },
}));

vi.mock('../../shared/content/SiteContext', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  useSite: () => ({ locales: [EN], sections: [{ title: 'Metrics' }] }),
}));

const EN: Locale = vi.hoisted(() => ({
  tag: 'en',
  label: null,
  root: '',
  start: '/',
  allPages: null,
  words: null,
  own: null,
}));
const FR: Locale = {
  tag: 'fr',
  label: null,
  root: '/fr',
  start: '/fr',
  allPages: null,
  words: null,
  own: null,
};
const LOCAL: SearchConfig = {
  mode: 'local',
  apiUrl: null,
  model: null,
  key: null,
  wasmUrl: '/core.wasm',
  languages: [],
  siteRoot: '/',
};
const LIVE: SearchConfig = {
  ...LOCAL,
  mode: 'live-with-fallback',
  apiUrl: 'http://api.test/v1',
  model: 'docs',
  key: 'k'.repeat(40),
};

let fetched: string[];

beforeEach(() => {
  fetched = [];
  vi.stubGlobal('fetch', async (input: unknown) => {
    fetched.push(String(input));
    throw new TypeError('Failed to fetch');
  });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function mount(config: SearchConfig, locale = EN) {
  return render(<SearchRoot locale={locale} config={config} navigate={() => {}} />);
}

test('is silent until it is opened: no dialog and no request', () => {
  mount(LOCAL);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(fetched).toEqual([]);
});

test('opened before it is mounted, it opens with its mount and the query', async () => {
  openSearch('ndcg');
  await act(async () => {
    mount(LOCAL);
  });
  expect((screen.getByRole('combobox') as HTMLInputElement).value).toBe('ndcg');
});

test('opening warms the engine in the background', async () => {
  mount(LOCAL);
  await act(async () => openSearch());
  // Each twice: what does not come is asked for once more.
  expect(fetched.sort()).toEqual(['/core.wasm', '/core.wasm', '/search.json', '/search.json']);
});

test('warming fetches the same and shows nothing, and no failure is told', async () => {
  await act(async () => {
    warmSearch();
    mount(LOCAL);
  });
  expect(fetched.length).toBeGreaterThan(0);
  expect(new Set(fetched)).toEqual(new Set(['/core.wasm', '/search.json']));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(console.error).not.toHaveBeenCalled();
});

test('asked for before it is mounted, opening wins over warming', async () => {
  openSearch('ndcg');
  warmSearch();
  await act(async () => {
    mount(LOCAL);
  });
  expect((screen.getByRole('combobox') as HTMLInputElement).value).toBe('ndcg');
});

test.each([
  ['a language that the platform does not know', FR, ['fr'], false],
  ['the first one', EN, ['fr'], true],
  ['one without an index of its own', FR, [], true],
])('live search in %s', async (_, locale, languages, isAsked) => {
  openSearch('ndcg');
  await act(async () => {
    mount({ ...LIVE, languages }, locale);
  });
  await vi.waitFor(() => expect(fetched).toContain('/search.json'));
  expect(fetched.some((url) => url.startsWith('http://api.test'))).toBe(isAsked);
});

test.each([
  ['local mode needs no key', LOCAL, null],
  ['a whole live configuration', LIVE, null],
  [
    'no key',
    { ...LIVE, key: '' },
    'key is missing, so there is no search: set SIFTWREN_SEARCH_KEY',
  ],
  ['no key', { ...LIVE, key: null }, 'siftwren.toml'],
  ['no address', { ...LIVE, apiUrl: null }, 'api_url or model is missing'],
  ['no model', { ...LIVE, model: null }, 'api_url or model is missing'],
])('configuration: %s', (_, config, problem) => {
  const found = searchProblem(config);
  if (problem === null) {
    expect(found).toBeNull();
  } else {
    expect(found).toContain(problem);
  }
});
