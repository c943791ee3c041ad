import { beforeEach, expect, test, vi } from 'vitest';
import { createScrollPlaces } from './scrollPlaces';

const entry = (key: string, address = '/docs/a') => {
  const { pathname, hash } = new URL(address, 'https://docs.example');
  return { key, pathname, hash };
};

const scrollTo = vi.fn();

function scrolled(top: number): void {
  Object.defineProperty(window, 'scrollY', { value: top, configurable: true });
  window.dispatchEvent(new Event('scroll'));
}

/** Another entry of the browser itself, or a way back to one: what is known of it, as the router writes it. */
function traverse(state: object | null): void {
  window.history.replaceState(state, '');
  window.dispatchEvent(new PopStateEvent('popstate', { state }));
}

const shownKey = () => (window.history.state as { key?: string } | null)?.key;

// As on a site without https.
vi.stubGlobal('crypto', { ...crypto, randomUUID: undefined });

beforeEach(() => {
  sessionStorage.clear();
  document.body.innerHTML = '<h2 id="größe">x</h2>';
  window.scrollTo = scrollTo;
  scrollTo.mockClear();
  scrolled(0);
});

test('each entry has its own place, with the anchors that the browser has gone to itself', () => {
  window.history.replaceState({ idx: 0 }, '');
  const places = createScrollPlaces(window);
  places.arrive(entry('default'), true);
  scrolled(300);
  // The browser has scrolled already when it tells of an anchor.
  Object.defineProperty(window, 'scrollY', { value: 2000, configurable: true });
  traverse(null);
  const anchor = shownKey();
  expect(anchor).toMatch(/./);
  places.arrive(entry(anchor ?? '', '/docs/a#b'), true);
  scrolled(2000);
  expect(scrollTo).not.toHaveBeenCalled();
  places.arrive(entry('next', '/docs/b'), false);
  expect(scrollTo).toHaveBeenLastCalledWith(0, 0);
  scrolled(50);

  traverse({ key: anchor, idx: null });
  expect(shownKey()).toBe(anchor);
  places.arrive(entry(anchor ?? '', '/docs/a#b'), true);
  expect(scrollTo).toHaveBeenLastCalledWith(0, 2000);
  traverse({ idx: 0 });
  expect(shownKey()).toBeUndefined();
  places.arrive(entry('default'), true);
  expect(scrollTo).toHaveBeenLastCalledWith(0, 300);
  traverse({ key: 'next', idx: 1 });
  places.arrive(entry('next', '/docs/b'), true);
  expect(scrollTo).toHaveBeenLastCalledWith(0, 50);
});

test('an anchor of another page comes into view, and one that is not there is its top', () => {
  const places = createScrollPlaces(window);
  places.arrive(entry('one'), true);
  const heading = document.querySelector('h2') as HTMLElement;
  heading.scrollIntoView = vi.fn();
  places.arrive(entry('two', '/docs/b#gr%C3%B6%C3%9Fe'), false);
  expect(heading.scrollIntoView).toHaveBeenCalledOnce();
  expect(scrollTo).not.toHaveBeenCalled();
  // A hit on the page that is shown.
  places.arrive(entry('three', '/docs/b#gone'), false);
  expect(scrollTo).not.toHaveBeenCalled();
  places.arrive(entry('four', '/docs/c#gone'), false);
  expect(scrollTo).toHaveBeenCalledWith(0, 0);
});

test('whoever goes on where they are is not moved', () => {
  const places = createScrollPlaces(window);
  places.arrive(entry('one'), true);
  scrolled(300);
  // The drawer had an entry of its own, with the key of the page.
  places.arrive(entry('one'), true);
  expect(scrollTo).not.toHaveBeenCalled();
});

test('the link by which an entry was left is known there again', () => {
  document.body.innerHTML = '<a href="/b">one</a><a href="/c">other</a><a href="/b">two</a>';
  const places = createScrollPlaces(window);
  places.arrive(entry('one'), true);
  places.leftBy(document.querySelectorAll('a')[2] as HTMLElement);
  places.arrive(entry('two', '/b'), false);
  expect(places.link()).toBeNull();
  // The page is rendered again.
  document.body.innerHTML = `${document.body.innerHTML}`;
  places.arrive(entry('one'), true);
  expect(places.link()?.textContent).toBe('two');
  document.body.innerHTML = '';
  expect(places.link()).toBeNull();
});

test('places are there after a reload', () => {
  const before = createScrollPlaces(window);
  expect(window.history.scrollRestoration).toBe('manual');
  before.arrive(entry('one'), true);
  scrolled(700);
  window.dispatchEvent(new Event('pagehide'));
  expect(window.history.scrollRestoration).toBe('auto');
  const places = createScrollPlaces(window);
  // The browser has put the page there itself.
  places.arrive(entry('one'), true);
  expect(scrollTo).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('pagehide'));
  // An anchor before it, to which the reader goes before the application is there.
  window.history.scrollRestoration = 'manual';
  scrolled(0);
  createScrollPlaces(window).arrive(entry('one'), true);
  expect(scrollTo).toHaveBeenLastCalledWith(0, 700);
});

test.each([
  ['no JSON'],
  ['null'],
  ['[1]'],
  ['{"one":null}'],
  ['{"one":{"top":"a"}}'],
  ['{"one":{"top":1,"link":3}}'],
  ['{"one":{"top":1,"link":{"href":3}}}'],
])('%s in the storage is nothing', (stored) => {
  sessionStorage.setItem('siftwren.places', stored);
  const places = createScrollPlaces(window);
  places.arrive(entry('two', '/docs/b'), true);
  traverse({ key: 'one', idx: 0 });
  places.arrive(entry('one'), true);
  expect(scrollTo).toHaveBeenLastCalledWith(0, 0);
});

test('a storage that refuses costs nothing but the memory', () => {
  const places = createScrollPlaces(window);
  places.arrive(entry('one'), true);
  const refuse = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(() => window.dispatchEvent(new Event('pagehide'))).not.toThrow();
  refuse.mockRestore();
});
