import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followTabStops } from './tabStops';

let observed: Set<Element>;
let tell: (elements: Element[]) => void;

beforeEach(() => {
  observed = new Set();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(report: (changes: { target: Element }[]) => void) {
        tell = (elements) =>
          report(elements.filter((element) => observed.has(element)).map((target) => ({ target })));
      }
      observe = (element: Element) => observed.add(element);
      disconnect = () => observed.clear();
    },
  );
  document.body.innerHTML = `<div class="prose"><pre tabindex="0"></pre>
    <div class="table-scroll" tabindex="0"></div><button role="tab" tabindex="-1"></button></div>
    <pre tabindex="0"></pre>`;
});
afterEach(() => vi.unstubAllGlobals());

const elements = () => [...document.querySelectorAll<HTMLElement>('[tabindex]')];
const stops = () => elements().map(({ tabIndex }) => tabIndex);
function size(element: Element | undefined, sizes: { [name: string]: number }): void {
  for (const [name, value] of Object.entries(sizes)) {
    Object.defineProperty(element, name, { value, configurable: true });
  }
}

test('what scrolls neither way is no stop, until it does', () => {
  const [code, table] = elements();
  size(code, { clientWidth: 300, scrollWidth: 300, clientHeight: 90, scrollHeight: 90 });
  size(table, { clientWidth: 300, scrollWidth: 301, clientHeight: 90, scrollHeight: 90 });
  followTabStops(document);
  tell(elements());
  // What is not of the text is left alone.
  expect(stops()).toEqual([-1, 0, -1, 0]);
  size(code, { clientHeight: 80 });
  size(table, { clientWidth: 400, scrollWidth: 400 });
  tell(elements());
  expect(stops()).toEqual([0, -1, -1, 0]);
});

test('what a page of before left is followed on', () => {
  const [code] = elements();
  followTabStops(document)();
  tell(elements());
  expect(stops()).toEqual([0, 0, -1, 0]);
  followTabStops(document);
  tell(elements());
  expect(stops()).toEqual([-1, -1, -1, 0]);
  size(code, { clientWidth: 300, scrollWidth: 301 });
  followTabStops(document);
  tell(elements());
  expect(stops()).toEqual([0, -1, -1, 0]);
});
