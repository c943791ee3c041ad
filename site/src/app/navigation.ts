/** Navigation from outside the route components: links in page HTML, and hits of the search. */
import { createContext } from 'react';
import { isOver } from '../shared/lib/overEntry';
import { canonicalPath, isFile, pathOf } from '../shared/lib/paths';
import { showTabsAround } from '../shared/lib/tabSets';
import { PAGE_EVENT } from './pageEvent';

/** How long a page may settle before it scrolls to the anchor of a hit. */
const SCROLL_DELAY_MS = 100;

interface Router {
  navigate(to: string, options?: { replace?: boolean }): Promise<void>;
}

/** `to` is a path below the site's base; `hash` starts with '#'. */
type Navigate = (to: string, target: { hash: string | null }) => void;

/** Absent while prerendering. */
export const NavigateContext = createContext<Navigate | null>(null);

/** Opens a page of the site and, once it is on the screen, brings the anchor into view. */
export function createNavigate(router: Router, window: Window): Navigate {
  return (to, { hash }) => {
    // What is over the page is closed by now; its entry is the one of the next page.
    const options = { replace: isOver(window.history.state) };
    if (hash === null) {
      void router.navigate(to, options);
      return;
    }
    const before = window.location.pathname;
    const isRendered = new Promise((resolve) => {
      window.document.addEventListener(PAGE_EVENT, resolve, { once: true });
    });
    void router.navigate(to + hash, options).then(async () => {
      const { pathname, href } = window.location;
      // The router is done before React has rendered the page, on a slow machine long before.
      if (pathname !== before) await isRendered;
      window.setTimeout(() => {
        // A reader who has gone on meanwhile is left alone.
        if (window.location.href === href) show(window, decodeURIComponent(hash.slice(1)));
      }, SCROLL_DELAY_MS);
    });
  };
}

/** Scrolls to the element, as the browser does for a link to it: what is folded around it opens, and the tab that it is in. */
function show(window: Window, id: string): void {
  const element = window.document.getElementById(id);
  if (!element) return;
  for (
    let folded = element.closest('details');
    folded;
    folded = folded.parentElement?.closest('details') ?? null
  ) {
    folded.open = true;
  }
  showTabsAround(element);
  const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ behavior: isReduced ? 'auto' : 'smooth' });
  goOnFrom(element);
}

/** Reading aloud and the next press of Tab go on from an element. */
export function goOnFrom(element: HTMLElement): void {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** What a click on a link means for the router: the place to go to, or null to leave it alone. */
export function routedTarget(event: MouseEvent, base: string, current: URL): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element | null)?.closest?.('a');
  const url = link ? linkedUrl(link, base, current) : null;
  if (url === null) return null;
  // The browser itself is best at anchors of the page that it shows; one without a name is its top.
  if (url.pathname === current.pathname && url.href.includes('#')) return null;
  return canonicalPath(pathOf(base, url.pathname) ?? '/') + url.search + url.hash;
}

/** The path of the page that a link leads to, where it is another page of the site. */
export function linkedPage(link: Element, base: string, current: URL): string | null {
  const url = linkedUrl(link, base, current);
  if (url === null || url.pathname === current.pathname) return null;
  return canonicalPath(pathOf(base, url.pathname) ?? '/');
}

/** Null for what is no page of the site: other sites, files, what is to open elsewhere. */
function linkedUrl(link: Element, base: string, current: URL): URL | null {
  const href = link.getAttribute('href');
  if (!href || link.hasAttribute('target') || link.hasAttribute('download')) return null;
  const url = new URL(href, current);
  const path = url.origin === current.origin ? pathOf(base, url.pathname) : null;
  return path === null || isFile(path) ? null : url;
}

/** Hands the clicks on links within the site to the router; `leaving` is told of each of these before. */
export function routeLinks(
  document: Document,
  router: Router,
  base: string,
  leaving: (link: Element) => void,
): void {
  document.addEventListener('click', (event) => {
    const to = routedTarget(event, base, new URL(document.location.href));
    const link = (event.target as Element).closest('a');
    if (to === null || link === null) return;
    event.preventDefault();
    leaving(link);
    void router.navigate(to, { replace: isOver(document.defaultView?.history.state) });
  });
}
