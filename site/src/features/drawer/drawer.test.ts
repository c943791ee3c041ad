import { beforeEach, expect, test, vi } from 'vitest';
import { createDrawer } from './drawer';

let desktop: (matches: boolean) => void;
let opener: HTMLElement;

beforeEach(() => {
  document.body.innerHTML = `
    <header data-behind-drawer><button data-drawer-open>Menu</button></header>
    <main data-behind-drawer><a href="/x">x</a></main>
    <div id=":menu"><button data-drawer-close>Close</button><a href="#there">There</a></div>`;
  vi.spyOn(window, 'matchMedia').mockImplementation(
    () =>
      ({
        addEventListener: (_: string, listener: (event: { matches: boolean }) => void) => {
          desktop = (matches) => listener({ matches });
        },
      }) as unknown as MediaQueryList,
  );
  delete document.documentElement.dataset.drawer;
  opener = document.querySelector('[data-drawer-open]') as HTMLElement;
});

const main = () => document.querySelector('main') as HTMLElement;
const menu = () => document.getElementById(':menu') as HTMLElement;
const pressEscape = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));

test('opening makes the menu a dialog, moves the focus in and what is behind inert', () => {
  const drawer = createDrawer(window);
  opener.click();
  expect(drawer.isOpen).toBe(true);
  expect(menu().getAttribute('role')).toBe('dialog');
  expect(main().inert).toBe(true);
  expect(document.activeElement).toBe(document.querySelector('[data-drawer-close]'));
  expect(opener.getAttribute('aria-expanded')).toBe('true');
  drawer.close();
});

test('Escape closes it and gives the focus back', () => {
  const drawer = createDrawer(window);
  opener.click();
  pressEscape();
  expect(drawer.isOpen).toBe(false);
  expect(menu().hasAttribute('role')).toBe(false);
  expect(main().inert).toBe(false);
  expect(document.activeElement).toBe(opener);
});

test.each([
  ['its button', () => (document.querySelector('[data-drawer-close]') as HTMLElement).click()],
  ['a link in it', () => (document.querySelector('#\\:menu a') as HTMLElement).click()],
  ['a press beside it', () => document.body.click()],
  ['Back', () => window.dispatchEvent(new Event('popstate'))],
  ['a window that has grown wide', () => desktop(true)],
])('%s closes it', (_, act) => {
  const drawer = createDrawer(window);
  opener.click();
  act();
  expect(drawer.isOpen).toBe(false);
  expect(main().inert).toBe(false);
});

/** What a style sheet would not show. */
function take(selector: string): void {
  for (const element of document.querySelectorAll(selector)) {
    vi.spyOn(element, 'getClientRects').mockReturnValue([] as unknown as DOMRectList);
  }
}

test.each([
  ['what had the focus, where that is still there', '#kept', '#item', '#kept'],
  ['the current page', '[data-drawer-close]', '#item, [data-drawer-close]', '#current'],
  ['the first link', '[data-drawer-close]', '#item, #current, [data-drawer-close]', '#kept'],
  ['the bar, on a page without a list', '[data-drawer-close]', '#\\:menu *', '#brand'],
])('a window that has grown wide has the focus on %s', (_, focused, taken, wanted) => {
  menu().innerHTML = `<button data-drawer-close>Close</button><a id="item" aria-current="page" href="/c">Item</a>
    <a id="kept" href="/k">Kept</a><a id="current" aria-current="page" href="/c">Current</a>`;
  opener.insertAdjacentHTML('afterend', '<a id="brand" href="/">Site</a>');
  createDrawer(window);
  opener.click();
  document.querySelector<HTMLElement>(focused)?.focus();
  take(`[data-drawer-open], ${taken}`);
  desktop(true);
  expect(document.activeElement).toBe(document.querySelector(wanted));
});

test('a press in the menu that is no link leaves it open', () => {
  const drawer = createDrawer(window);
  opener.click();
  menu().click();
  expect(drawer.isOpen).toBe(true);
  drawer.close();
});
