import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { docPage, metricsNav, site } from '../shared/content/testSite';
import { AssetsGoneError } from './AssetsGoneError';
import { OtherBuildError } from './OtherBuildError';
import { createPageSource } from './pageSource';
import { RouteLoadError } from './RouteLoadError';

const fragmentUrl = '/book/fragments/pages/docs/metrics/ndcg.json?v=b1';
let answers: Map<string, () => Response | Promise<Response>>;
let calls: string[];
let signals: AbortSignal[];

beforeEach(() => {
  answers = new Map([
    [fragmentUrl, () => Response.json({ ...docPage, build: 'b1' })],
    ['/book/n2.json', () => Response.json(metricsNav)],
  ]);
  calls = [];
  signals = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    calls.push(url);
    signals.push(init.signal ?? new AbortController().signal);
    const answer = answers.get(url);
    return Promise.resolve(answer ? answer() : new Response('', { status: 404 }));
  });
});
afterEach(() => vi.unstubAllGlobals());

const load = (source = createPageSource(site), path = '/docs/metrics/ndcg') =>
  source.load(path, new AbortController().signal);

test('a page comes with the list of its section, which is fetched once', async () => {
  const source = createPageSource(site);
  expect(await load(source)).toEqual({ page: docPage, nav: metricsNav, words: null });
  const other = fragmentUrl.replace('ndcg', 'mrr');
  answers.set(other, () => Response.json({ ...docPage, path: '/docs/metrics/mrr', build: 'b1' }));
  await load(source, '/docs/metrics/mrr');
  expect(calls).toEqual([fragmentUrl, '/book/n2.json', other]);
});

test('the list of the section that is being read is not fetched', async () => {
  const source = createPageSource(site, { page: docPage, nav: metricsNav, words: null });
  expect((await load(source)).nav).toBe(metricsNav);
  expect(calls).toEqual([fragmentUrl]);
});

test('words come with a page in their language, and are fetched once', async () => {
  const [english] = site.locales;
  const german = {
    tag: 'de',
    label: null,
    root: '/docs/de',
    start: '/docs/de',
    allPages: null,
    words: 'w.json',
    own: null,
  };
  const locales = [...(english ? [english] : []), german];
  const words = {
    Home: 'Startseite',
    '{count} pages': { one: '{count} Seite', other: '{count} Seiten' },
  };
  answers.set('/book/w.json', () => new Response('', { status: 500 }));
  for (const name of ['a', 'b']) {
    const page = {
      ...docPage,
      path: `/docs/de/${name}`,
      section: { id: '', title: '' },
      build: 'b1',
    };
    answers.set(`/book/fragments/pages/docs/de/${name}.json?v=b1`, () => Response.json(page));
  }
  const source = createPageSource({ ...site, locales });
  expect((await load(source)).words).toBeNull();
  await expect(load(source, '/docs/de/a')).rejects.toThrow('status 500');
  answers.set('/book/w.json', () => Response.json(words));
  expect((await load(source, '/docs/de/a')).words).toEqual(words);
  await load(source, '/docs/de/b');
  expect(calls.filter((url) => url === '/book/w.json')).toHaveLength(2);

  const page = { ...docPage, path: '/docs/de/a' };
  const known = createPageSource({ ...site, locales }, { page, nav: null, words });
  expect((await load(known, '/docs/de/b')).words).toBe(words);
  answers.set('/book/w.json', () => Response.json({ Home: 1 }));
  await expect(load(createPageSource({ ...site, locales }), '/docs/de/a')).rejects.toThrow(
    'page data.Home',
  );
});

test('an address without a page is the not-found page', async () => {
  expect(await load(undefined, '/docs/none')).toEqual({
    page: { kind: 'not-found', path: '/docs/none', near: null },
    nav: null,
    words: null,
  });
});

test.each<[string, () => Response | Promise<Response>, string]>([
  ['an error of the server', () => new Response('', { status: 503 }), 'status 503'],
  ['no network', () => Promise.reject(new TypeError('fetch failed')), 'check your network'],
  ['HTML in place of data', () => new Response('<!doctype html>'), 'not page data'],
  ['data of another shape', () => Response.json({ kind: 'doc', path: 1 }), 'another version'],
])('%s is a failure with a text for the reader', async (_, answer, text) => {
  answers.set(fragmentUrl, answer);
  const failure = load();
  await expect(failure).rejects.toBeInstanceOf(RouteLoadError);
  await expect(failure).rejects.toThrow(text);
});

test('data of another build is not shown', async () => {
  answers.set(fragmentUrl, () => Response.json({ ...docPage, build: 'b2' }));
  await expect(load()).rejects.toThrow(OtherBuildError);
});

test('a list that could not be fetched is asked for again', async () => {
  const source = createPageSource(site);
  answers.set('/book/n2.json', () => new Response('', { status: 500 }));
  await expect(load(source)).rejects.toThrow('status 500');
  answers.set('/book/n2.json', () => Response.json(metricsNav));
  expect((await load(source)).nav).toEqual(metricsNav);
});

test('a list that is gone is a matter of a new deployment', async () => {
  answers.delete('/book/n2.json');
  await expect(load()).rejects.toBeInstanceOf(AssetsGoneError);
});

test('so are data that this build cannot read', async () => {
  answers.set(fragmentUrl, () => Response.json({ kind: 'new' }));
  await expect(load()).rejects.toBeInstanceOf(AssetsGoneError);
});

/** An answer that never comes, until the request is ended. */
const silence = (): Promise<Response> =>
  new Promise((_, reject) => {
    signals.at(-1)?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
  });

test('a page that does not come is given up after 30 s', async () => {
  vi.useFakeTimers();
  answers.set(fragmentUrl, silence);
  const failure = expect(load()).rejects.toThrow('took too long');
  await vi.advanceTimersByTimeAsync(29_000);
  expect(signals[0]?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  await failure;
  vi.useRealTimers();
});

test('a reader who goes elsewhere meanwhile sees no failure of it', async () => {
  answers.set(fragmentUrl, silence);
  const leaving = new AbortController();
  const left = createPageSource(site).load('/docs/metrics/ndcg', leaving.signal);
  leaving.abort();
  await expect(left).rejects.toHaveProperty('name', 'AbortError');
});

test('a page fetched ahead is not fetched again, for ten minutes', async () => {
  vi.useFakeTimers();
  const source = createPageSource(site);
  void source.prefetch('/docs/metrics/ndcg');
  void source.prefetch('/docs/metrics/ndcg');
  expect((await load(source)).page).toEqual(docPage);
  await load(source);
  expect(calls.filter((url) => url === fragmentUrl)).toHaveLength(1);
  vi.advanceTimersByTime(11 * 60_000);
  await load(source);
  expect(calls.filter((url) => url === fragmentUrl)).toHaveLength(2);
  vi.useRealTimers();
});

test('with a page of another section its list is fetched ahead', async () => {
  const source = createPageSource(site);
  answers.set('/book/n2.json', () => new Response('', { status: 503 }));
  void source.prefetch('/docs/metrics/ndcg');
  await vi.waitFor(() => expect(calls).toEqual([fragmentUrl, '/book/n2.json']));
  await new Promise((resolve) => setTimeout(resolve));
  // Nobody has asked for it yet.
  answers.set('/book/n2.json', () => Response.json(metricsNav));
  expect(await load(source)).toEqual({ page: docPage, nav: metricsNav, words: null });
  expect(calls).toHaveLength(3);
  await load(source);
  expect(calls).toHaveLength(3);
});

test('what failed or was not there ahead is asked for again when it is wanted', async () => {
  const source = createPageSource(site);
  answers.set(fragmentUrl, () => new Response('', { status: 503 }));
  await Promise.all([source.prefetch('/docs/metrics/ndcg'), source.prefetch('/docs/none')]);
  expect(calls).toHaveLength(2);
  answers.set(fragmentUrl, () => Response.json({ ...docPage, build: 'b1' }));
  expect((await load(source)).page).toEqual(docPage);
  await load(source, '/docs/none');
  expect(calls.filter((url) => url.includes('none'))).toHaveLength(2);
});
