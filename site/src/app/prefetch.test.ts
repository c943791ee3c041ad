import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../shared/lib/connection';
import { PAGE_EVENT } from './pageEvent';
import { prefetchPages } from './prefetch';

let see: (link: Element) => void;
let watched: Element[];

beforeEach(() => {
  watched = [];
  class Observer {
    constructor(report: (entries: { isIntersecting: boolean; target: Element }[]) => void) {
      see = (target) => report([{ isIntersecting: watched.includes(target), target }]);
    }
    observe(link: Element) {
      watched.push(link);
    }
    disconnect() {
      watched = [];
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer);
});
afterEach(() => vi.unstubAllGlobals());

function setUp(connection: Connection = 'good') {
  document.body.innerHTML = `
    <a id="page" href="/book/docs/a#part">a</a> <a id="same" href="#here">here</a>
    <a id="other" href="https://elsewhere.example/book/docs/a">x</a> <a id="file" href="/book/x.pdf">f</a>
    <a id="tab" href="/book/docs/t" target="_blank">t</a> <a id="outside" href="/docs/a">o</a>
    <main><a id="next" rel="next" href="/book/docs/next"><span>Next</span></a></main>`;
  const paths: string[] = [];
  const options = { base: '/book/', connection: () => connection };
  prefetchPages(window as Window & typeof globalThis, {
    ...options,
    prefetch: (path) => paths.push(path),
  });
  const point = (selector: string, event = 'pointerover') =>
    document.querySelector(selector)?.dispatchEvent(new Event(event, { bubbles: true }));
  return { paths, point };
}

test.each(['pointerover', 'focusin', 'touchstart'])(
  'a page is fetched at %s of a link',
  (event) => {
    const { paths, point } = setUp();
    point('#page', event);
    point('#next span', event);
    expect(paths).toEqual(['/docs/a', '/docs/next']);
  },
);

test('what is no other page of the site is not fetched', () => {
  const { paths, point } = setUp();
  for (const id of ['same', 'other', 'file', 'tab', 'outside']) point(`#${id}`);
  expect(paths).toEqual([]);
});

test('the next page is fetched when its link is seen, on later pages too', () => {
  const { paths } = setUp();
  const link = document.querySelector('#next') as Element;
  see(link);
  expect(paths).toEqual(['/docs/next']);
  link.setAttribute('href', '/book/docs/third');
  document.dispatchEvent(new Event(PAGE_EVENT));
  see(link);
  expect(paths).toEqual(['/docs/next', '/docs/third']);
});

test('on 2g or with data saving nothing is fetched', () => {
  const { paths, point } = setUp('poor');
  point('#page');
  see(document.querySelector('#next') as Element);
  expect(paths).toEqual([]);
});
