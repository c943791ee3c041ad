/** Navigation from outside the route components: links in page HTML, and hits of the search. */
import { createContext } from 'react';
import { canonicalPath, pathOf } from '../shared/lib/paths';

/** How long a page may settle before it scrolls to the anchor of a hit. */
const SCROLL_DELAY_MS = 100;

export interface Router {
  navigate(
    to: string,
    options?: { replace?: boolean; preventScrollReset?: boolean },
  ): Promise<void>;
}

/** `to` is a path below the site's base; `hash` starts with '#'. */
export type Navigate = (to: string, target: { hash: string | null }) => void;

/** Absent while prerendering. */
export const NavigateContext = createContext<Navigate | null>(null);

/** Opens a page of the site and then scrolls to the anchor. */
export function createNavigate(router: Router, window: Window): Navigate {
  return (to, { hash }) => {
    const goes = router.navigate(to + (hash ?? ''), { preventScrollReset: hash !== null });
    if (hash === null) return;
    void goes.then(() =>
      window.setTimeout(() => {
        const reduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
        window.document
          .getElementById(decodeURIComponent(hash.slice(1)))
          ?.scrollIntoView({ behavior: reduced ? 'auto' : 'smooth' });
      }, SCROLL_DELAY_MS),
    );
  };
}

/** What a click on a link means for the router: the place to go to, or null to leave it alone. */
export function routedTarget(event: MouseEvent, base: string, current: URL): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element | null)?.closest?.('a');
  const href = link?.getAttribute('href');
  if (!link || !href || link.target || link.hasAttribute('download')) return null;
  const url = new URL(href, current);
  const path = url.origin === current.origin ? pathOf(base, url.pathname) : null;
  if (path === null) return null;
  // The browser itself is best at anchors of the page that it shows.
  if (url.pathname === current.pathname && url.hash !== '') return null;
  const isFile = /\.[a-z0-9]+$/i.test(path) && !/\.html$/.test(path);
  return isFile ? null : canonicalPath(path) + url.search + url.hash;
}

/** Hands the clicks on links within the site to the router. */
export function routeLinks(document: Document, router: Router, base: string): void {
  document.addEventListener('click', (event) => {
    const to = routedTarget(event, base, new URL(document.location.href));
    if (to === null) return;
    event.preventDefault();
    // The open drawer is an entry of the history, which the page then takes over.
    const state: unknown = document.defaultView?.history.state;
    const replace = typeof state === 'object' && state !== null && 'drawer' in state;
    void router.navigate(to, { replace });
  });
}
