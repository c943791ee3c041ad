import { beforeEach, expect, test } from 'vitest';
import { type Place, reloadIfReplaced } from './replacedBuild';

const HERE = 'https://docs.example/book/docs/a';
let status: number | Error;
let place: Place;
let loads: string[];
let asked: unknown[];

beforeEach(() => {
  sessionStorage.clear();
  status = 404;
  loads = [];
  asked = [];
  place = {
    sessionStorage,
    location: {
      href: HERE,
      replace: (url) => void loads.push(url),
      reload: () => void loads.push('reload'),
    },
    fetch: (async (url: string, init: RequestInit) => {
      asked.push([url, init.method, init.cache]);
      expect(init.signal, 'it does not wait for ever').toBeInstanceOf(AbortSignal);
      if (status instanceof Error) throw status;
      return new Response(null, { status });
    }) as typeof fetch,
  };
});

test('a build that is gone is replaced by a reload, once', async () => {
  expect(await reloadIfReplaced(place, '/site-1.json')).toBe(true);
  expect(await reloadIfReplaced(place, '/site-1.json')).toBe(false);
  expect(loads).toEqual(['reload']);
  expect(asked[0]).toEqual(['/site-1.json', 'HEAD', 'no-store']);
});

test('hosts that give one old build after the other end it too', async () => {
  for (const build of ['/1', '/2', '/1', '/2', '/1']) await reloadIfReplaced(place, build);
  expect(loads).toHaveLength(2);
});

test('a reader on the way to another page arrives there', async () => {
  await reloadIfReplaced(place, '/1', 'https://docs.example/book/docs/b#c');
  expect(loads).toEqual(['https://docs.example/book/docs/b#c']);
});

test.each([[200], [503], [new TypeError('Failed to fetch')]])(
  'nothing happens while the server says %s',
  async (answer) => {
    status = answer;
    expect(await reloadIfReplaced(place, '/1')).toBe(false);
    expect(loads).toEqual([]);
    status = 404;
    expect(await reloadIfReplaced(place, '/1')).toBe(true);
  },
);

test('without a memory it never reloads', async () => {
  const blocked = { ...place };
  Object.defineProperty(blocked, 'sessionStorage', {
    get() {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
  expect(await reloadIfReplaced(blocked, '/1')).toBe(false);
  const full = {
    getItem: () => null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  expect(await reloadIfReplaced({ ...place, sessionStorage: full }, '/1')).toBe(false);
  expect(loads).toEqual([]);
});
