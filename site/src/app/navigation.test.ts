import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pushOver } from '../shared/lib/overEntry';
import { createNavigate, routedTarget, routeLinks } from './navigation';
import { PAGE_EVENT } from './pageEvent';

const here = new URL('https://docs.example/book/docs/a');

function click(html: string, init: MouseEventInit = {}): string | null {
  document.body.innerHTML = html;
  const link = document.querySelector('a span') ?? document.querySelector('a');
  let target: string | null = null;
  document.body.onclick = (event) => {
    target = routedTarget(event as MouseEvent, '/book/', here);
    event.preventDefault();
  };
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }));
  return target;
}

test.each([
  ['<a href="/book/docs/b">b</a>', '/docs/b'],
  ['<a href="/book/docs/b"><span>b</span></a>', '/docs/b'],
  ['<a href="/book/docs/b/index.html?x=1#c">b</a>', '/docs/b?x=1#c'],
  ['<a href="/book/docs/b.html">b</a>', '/docs/b'],
  ['<a href="/book/docs/a">a</a>', '/docs/a'],
  ['<a href="/book/">home</a>', '/'],
])('%s goes to the router', (html, target) => {
  expect(click(html)).toBe(target);
});

test.each([
  ['<a href="#c">c</a>'],
  ['<a href="#">top</a>'],
  ['<a href="/book/docs/a#c">c</a>'],
  ['<a href="/other">outside of the base</a>'],
  ['<a href="https://elsewhere.example/book/docs/b">other origin</a>'],
  ['<a href="mailto:a@b.example">mail</a>'],
  ['<a href="/book/docs/b" target="_blank">b</a>'],
  ['<a href="/book/docs/b" download>b</a>'],
  ['<a href="/book/assets/data.csv">file</a>'],
  ['<a>no address</a>'],
])('%s is left to the browser', (html) => {
  expect(click(html)).toBeNull();
});

test.each([
  { ctrlKey: true },
  { metaKey: true },
  { shiftKey: true },
  { altKey: true },
  { button: 1 },
])('a click with %j is left to the browser', (init) => {
  expect(click('<a href="/book/docs/b">b</a>', init)).toBeNull();
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('after a navigation the anchor comes into view, 100 ms later', async () => {
  document.body.innerHTML = '<h2 id="größe">x</h2>';
  const heading = document.querySelector('h2') as HTMLElement;
  const scroll = vi.fn();
  heading.scrollIntoView = scroll;
  const navigate = vi.fn(() => Promise.resolve());
  createNavigate({ navigate }, window)('/docs/b', { hash: '#gr%C3%B6%C3%9Fe' });
  expect(navigate).toHaveBeenCalledWith('/docs/b#gr%C3%B6%C3%9Fe', { replace: false });

  await vi.advanceTimersByTimeAsync(99);
  expect(scroll).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(scroll).toHaveBeenCalledWith({ behavior: 'smooth' });
});

test('a page that is rendered late is waited for, and 100 ms more', async () => {
  document.body.innerHTML = '';
  const navigate = vi.fn(async () => window.history.pushState(null, '', '/docs/late#a'));
  createNavigate({ navigate }, window)('/docs/late', { hash: '#a' });
  await vi.advanceTimersByTimeAsync(500);
  document.body.innerHTML = `<details><summary>x</summary><div class="tabs">
    <div role="tablist"><button role="tab" data-tab="one" aria-controls="p1"></button><button role="tab" data-tab="two" aria-controls="p2"></button></div>
    <section class="tab" id="p1" data-tab="one"></section>
    <section class="tab" id="p2" data-tab="two" data-off><h2 id="a">a</h2></section>
  </div></details>`;
  const heading = document.querySelector('h2') as HTMLElement;
  const scroll = vi.fn();
  heading.scrollIntoView = scroll;
  document.dispatchEvent(new Event(PAGE_EVENT));
  await vi.advanceTimersByTimeAsync(99);
  expect(scroll).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(scroll).toHaveBeenCalledTimes(1);
  expect(document.querySelector('details')?.open).toBe(true);
  expect([...document.querySelectorAll('[data-off]')].map(({ id }) => id)).toEqual(['p1']);
  expect(document.activeElement).toBe(heading);
});

test('a reader who has gone on meanwhile is left where they are', async () => {
  document.body.innerHTML = '<h2 id="a">x</h2>';
  const heading = document.querySelector('h2') as HTMLElement;
  heading.scrollIntoView = vi.fn();
  createNavigate({ navigate: () => Promise.resolve() }, window)('/docs', { hash: '#a' });
  await vi.advanceTimersByTimeAsync(50);
  window.history.pushState(null, '', '/docs/elsewhere');
  await vi.advanceTimersByTimeAsync(100);
  expect(heading.scrollIntoView).not.toHaveBeenCalled();
});

test('without an anchor the page starts at its top', () => {
  const navigate = vi.fn(() => Promise.resolve());
  createNavigate({ navigate }, window)('/docs/b', { hash: null });
  expect(navigate).toHaveBeenCalledWith('/docs/b', { replace: false });
});

test('the page takes the place of an entry for what was over the one before', () => {
  const navigate = vi.fn(() => Promise.resolve());
  pushOver(window.history);
  createNavigate({ navigate }, window)('/docs/b', { hash: null });
  expect(navigate).toHaveBeenCalledWith('/docs/b', { replace: true });
  document.body.onclick = null;
  document.body.innerHTML = '<a href="/docs/c">C</a>';
  routeLinks(document, { navigate }, '/', () => {});
  document.querySelector('a')?.click();
  expect(navigate).toHaveBeenLastCalledWith('/docs/c', { replace: true });
  window.history.pushState(null, '');
  document.querySelector('a')?.click();
  expect(navigate).toHaveBeenLastCalledWith('/docs/c', { replace: false });
});
