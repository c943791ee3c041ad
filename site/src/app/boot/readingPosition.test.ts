import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { currentHeading, followReading, readingLine } from './readingPosition';

test.each([
  [[100, 500, 900], 300, 0],
  [[-400, 20, 600], 300, 1],
  [[-900, -500, -100], 300, 2],
  [[400, 800], 300, -1],
  [[], 300, -1],
])(
  'with headings at %j and the line at %i, the one being read has the index %i',
  (tops, line, index) => {
    expect(currentHeading(tops, line, true)).toBe(index);
  },
);

test.each([
  [[-200, 76, 250], 1],
  [[-200, 76, 90, 250], 1],
  [[30, 76, 250], 1],
  [[-200, 59, 250], 2],
  [[-200, 101, 250], 2],
])('a heading where links lead is being read before those that follow: %j', (tops, index) => {
  expect(currentHeading(tops, 300, false)).toBe(index);
});

test.each([
  [5000, 300],
  [900, 300],
  [450, 600],
  [0, 900],
])('with %i px below the window of 900 the line is at %i', (below, line) => {
  expect(readingLine(900, below)).toBe(line);
});

describe('in a page', () => {
  /** Where each heading stands below the top of the window, which is 900 high. */
  const tops = { first: -10, sécond: 10_000 };
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const marked = () =>
    [...document.querySelectorAll('[aria-current=location]')].map(({ id }) => id);
  let stop = () => {};

  beforeEach(() => {
    vi.stubGlobal('innerHeight', 900);
    vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(20_000);
    Object.assign(tops, { first: -10, sécond: 10_000 });
    // Some hosts put a slash behind the address of a page; the links of the menu have none.
    history.replaceState(null, '', '/page/');
    document.body.innerHTML = `
      <nav data-menu id=":menu"><a href="/">Start</a><a id="m1" href="/page#first">First</a><a id="m2" href="/page#s%C3%A9cond">Second</a>
        <a id="other" href="/elsewhere#first">Other page</a></nav>
      <nav data-toc><a id="t1" href="#first">First</a><a id="t2" href="#s%C3%A9cond">Second</a></nav>
      <h2 id="first"></h2><h2 id="sécond"></h2>`;
    for (const id of ['first', 'sécond'] as const) {
      place(id, () => new DOMRect(0, tops[id], 0, 0));
    }
    stop = followReading(window);
  });
  afterEach(() => {
    stop();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    history.replaceState(null, '', '/');
  });

  function place(id: string, rectangle: () => DOMRect): void {
    Object.assign(document.getElementById(id) ?? {}, {
      getBoundingClientRect: rectangle,
      getClientRects: () => [rectangle()],
    });
  }

  test('the menu and the table of contents mark the part being read, and neither after leaving', async () => {
    await frame();
    expect(marked()).toEqual(['m1', 't1']);
    stop();
    expect(marked()).toEqual([]);
  });

  test('a part that is not shown is not being read', async () => {
    Object.assign(document.getElementById('sécond') ?? {}, { getClientRects: () => [] });
    tops.sécond = -100;
    await frame();
    expect(marked()).toEqual(['m1', 't1']);
  });

  test('a list that is longer than its place moves along, but not away from the focus', async () => {
    await frame();
    const [list, link] = [document.querySelector('[data-toc]'), document.getElementById('t2')];
    Object.assign(list ?? {}, { getBoundingClientRect: () => new DOMRect(0, 0, 0, 100) });
    place('t2', () => new DOMRect(0, 500, 0, 20));
    const read = async (top: number) => {
      tops.sécond = top;
      window.dispatchEvent(new Event('scroll'));
      await frame();
    };
    const focused = vi.spyOn(list as Element, 'querySelector').mockReturnValue(link);
    await read(299);
    expect(marked()).toEqual(['m2', 't2']);
    expect(focused).toHaveBeenCalledWith(':focus-visible');
    expect(list?.scrollTop).toBe(0);

    focused.mockReturnValue(null);
    await read(301);
    await read(299);
    expect(list?.scrollTop).toBe(450);
  });

  test('the mark goes along when the reader scrolls, as soon as a part reaches the line', async () => {
    await frame();
    for (const [top, ids] of [
      [301, ['m1', 't1']],
      [299, ['m2', 't2']],
      [301, ['m1', 't1']],
    ] as const) {
      tops.sécond = top;
      window.dispatchEvent(new Event('scroll'));
      await frame();
      expect(marked()).toEqual(ids);
    }
  });

  test('where a link has led to a short part, that is marked, but for the end of the page', async () => {
    Object.assign(tops, { first: 76, sécond: 250 });
    await frame();
    expect(marked()).toEqual(['m1', 't1']);
    vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(900);
    window.dispatchEvent(new Event('scroll'));
    await frame();
    expect(marked()).toEqual(['m2', 't2']);
  });

  test('a long menu is moved along until the mark can be seen', async () => {
    const menu = document.getElementById(':menu') ?? document.body;
    place(':menu', () => new DOMRect(0, 100, 200, 400));
    place('m1', () => new DOMRect(0, 120, 200, 30));
    place('m2', () => new DOMRect(0, 700, 200, 30));
    await frame();
    expect(menu.scrollTop).toBe(0);
    tops.sécond = 0;
    window.dispatchEvent(new Event('scroll'));
    await frame();
    expect(menu.scrollTop).toBe(400);
  });
});
