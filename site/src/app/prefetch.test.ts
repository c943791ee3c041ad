import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../shared/lib/connection';
import { PAGE_EVENT } from './pageEvent';
import { prefetchPages } from './prefetch';

let observers: Observer[];

class Observer {
  watched: Element[] = [];
  readonly report: (inView: Element[]) => void;

  constructor(hear: (entries: object[], observer: Observer) => void) {
    this.report = (inView) =>
      hear(
        this.watched.map((target) => ({ isIntersecting: inView.includes(target), target })),
        this,
      );
    observers.push(this);
  }
  observe(link: Element) {
    this.watched.push(link);
  }
  disconnect() {
    this.watched = [];
  }
}

/** As browsers do after a frame: of all that are observed, whether they are in view. */
function see(...inView: Element[]) {
  for (const observer of observers) if (observer.watched.length > 0) observer.report(inView);
}

beforeEach(() => {
  observers = [];
  vi.stubGlobal('IntersectionObserver', Observer);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Menu entries `/docs/m0` to `/docs/m29`; the page that is read is `/docs/m10`. */
const MENU = Array.from({ length: 30 }, (_, index) => {
  const current = index === 10 ? 'aria-current="page"' : '';
  return `<a href="/book/docs/m${index}" ${current}>m</a>`;
}).join('');

function setUp(connection: Connection = 'good') {
  window.history.replaceState(null, '', '/book/docs/m10');
  document.body.innerHTML = `
    <a id="page" href="/book/docs/a#part">a</a> <a id="same" href="#here">here</a>
    <a id="other" href="https://elsewhere.example/book/docs/a">x</a> <a id="file" href="/book/x.pdf">f</a>
    <a id="tab" href="/book/docs/t" target="_blank">t</a> <a id="outside" href="/docs/a">o</a>
    <main><a id="next" rel="next" href="/book/docs/next"><span>Next</span></a></main>
    <nav data-menu>${MENU}</nav>`;
  const paths: string[] = [];
  const coming: (() => void)[] = [];
  const options = { base: '/book/', connection: () => connection };
  prefetchPages(window as Window & typeof globalThis, {
    ...options,
    prefetch(path) {
      paths.push(path);
      return new Promise((resolve) => coming.push(resolve));
    },
  });
  const menu = [...document.querySelectorAll('[data-menu] a')];
  /** Lets each page come that is asked for, until no other is. */
  const settle = async () => {
    for (let last = -1; last !== paths.length; ) {
      last = paths.length;
      await vi.runAllTimersAsync();
      for (const come of coming.splice(0)) come();
      await vi.runAllTimersAsync();
    }
  };
  const point = (selector: string, event = 'pointerover') =>
    document.querySelector(selector)?.dispatchEvent(new Event(event, { bubbles: true }));
  return { paths, point, menu, settle };
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

test('of the menu in view the pages beside the current one are fetched', async () => {
  const { paths, menu, settle } = setUp();
  see(...menu.slice(3));
  await settle();
  expect(paths).toEqual(['/docs/m9', '/docs/m11']);
});

test('what is out of view is not, nor what scrolls by later', async () => {
  const { paths, menu, settle } = setUp();
  see(...menu.slice(10, 12));
  see(...menu.slice(9, 10));
  await settle();
  expect(paths).toEqual(['/docs/m11']);
});

test('they come one after the other, until the reader goes on', async () => {
  const { paths, menu, settle } = setUp();
  see(...menu);
  await vi.runAllTimersAsync();
  expect(paths).toEqual(['/docs/m9']);
  window.history.replaceState(null, '', '/book/docs/m20');
  await settle();
  expect(paths).toEqual(['/docs/m9']);
  // The menu of the page that is read now.
  menu[10]?.removeAttribute('aria-current');
  menu[20]?.setAttribute('aria-current', 'page');
  document.dispatchEvent(new Event(PAGE_EVENT));
  see(...menu.slice(19, 23));
  await settle();
  expect(paths.slice(1)).toEqual(['/docs/m19', '/docs/m21']);
});

test('on 2g or with data saving nothing is fetched', async () => {
  const { paths, point, menu, settle } = setUp('poor');
  point('#page');
  see(document.querySelector('#next') as Element, ...menu);
  await settle();
  expect(paths).toEqual([]);
});
