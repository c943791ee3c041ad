/**
 * The slide-in menu of narrow screens. The page has the menu in place already; this only moves it
 * in and out, keeps the focus inside, and closes it by Escape, Back, a link, a press beside it, or
 * a window that has grown wide.
 */
import { leaveOver, pushOver } from '../../shared/lib/overEntry';
import { firstStop, isShown } from '../../shared/lib/stops';

/**
 * The sidebar is beside the text from here on, as the style sheets have it: 996 px, and more where a reader has larger text, which
 * the columns are as wide as.
 */
const DESKTOP_QUERY = '(min-width: 62.25em)';

export interface Drawer {
  open(opener: HTMLElement): void;
  close(): void;
  readonly isOpen: boolean;
}

export function createDrawer(window: Window): Drawer {
  const { document, history } = window;
  const root = document.documentElement;
  let opener: HTMLElement | null = null;

  function menu(): HTMLElement | null {
    return document.getElementById(':menu');
  }

  function show(): void {
    root.dataset.drawer = 'open';
    setBehind(document, true);
    const element = menu();
    element?.setAttribute('role', 'dialog');
    element?.setAttribute('aria-modal', 'true');
    element?.setAttribute('aria-label', 'Menu');
    opener?.setAttribute('aria-expanded', 'true');
    element?.querySelector<HTMLElement>('[data-drawer-close]')?.focus();
  }

  function hide(next = () => opener): void {
    delete root.dataset.drawer;
    setBehind(document, false);
    const element = menu();
    element?.removeAttribute('role');
    element?.removeAttribute('aria-modal');
    element?.removeAttribute('aria-label');
    opener?.setAttribute('aria-expanded', 'false');
    next()?.focus({ preventScroll: true });
    opener = null;
  }

  function leave(next = () => opener): void {
    if (!drawer.isOpen) return;
    hide(next);
    leaveOver(window);
  }

  /** Where the window is wide, what opened the menu is gone, and most of the menu stands beside the text. */
  function stopInWide(): HTMLElement | null {
    const focused = document.activeElement as HTMLElement | null;
    if (focused && menu()?.contains(focused) && isShown(focused)) return focused;
    const places = [firstStop(menu(), '[aria-current=page]'), firstStop(menu())];
    return places.find(Boolean) ?? firstStop(document.querySelector('header')) ?? null;
  }

  const drawer: Drawer = {
    get isOpen() {
      return root.dataset.drawer === 'open';
    },
    open(from) {
      if (drawer.isOpen) return;
      opener = from;
      // An entry of its own, so that Back closes the drawer instead of leaving the page.
      pushOver(history);
      show();
    },
    close: () => leave(),
  };

  window.addEventListener('popstate', () => {
    if (drawer.isOpen) hide();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && drawer.isOpen) {
      event.preventDefault();
      drawer.close();
    }
  });
  document.addEventListener('click', (event) => {
    const target = event.target as Element;
    const from = target.closest<HTMLElement>('[data-drawer-open]');
    if (from) return drawer.open(from);
    if (!drawer.isOpen) return;
    if (target.closest('#\\:menu a')) hide();
    else if (target.closest('[data-drawer-close]') || !target.closest('#\\:menu')) drawer.close();
  });
  window.matchMedia(DESKTOP_QUERY).addEventListener('change', (event) => {
    if (event.matches && drawer.isOpen) leave(stopInWide);
  });
  return drawer;
}

/** What lies behind the open drawer takes no focus and no pointer. */
function setBehind(document: Document, inert: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-behind-drawer]')) {
    element.inert = inert;
  }
}
