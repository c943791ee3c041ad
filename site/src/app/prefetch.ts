/**
 * Fetches the data of a page before it is asked for: when a link to it is pointed at or focused, when one at the foot of a page comes
 * into view, and of the links in view in the menu the two beside that of the current page. Never on 2g or with data saving.
 */
import type { Connection } from '../shared/lib/connection';
import { whenIdle } from '../shared/lib/whenIdle';
import { linkedPage } from './navigation';
import { PAGE_EVENT } from './pageEvent';

interface PrefetchOptions {
  base: string;
  /** Asked each time: readers enter tunnels. */
  connection(): Connection;
  /** Done when the page is there, or cannot be had. */
  prefetch(path: string): Promise<void>;
}

/** Links that a reader who has come to them is likely to follow. */
const LIKELY = 'main a[rel="next"], main a[rel="prev"]';
const MENU = '[data-menu] a[href]';
/** So many of the menu are fetched: where most readers go on. Others are pointed at first, and more would be for nobody. */
const MOST_OF_MENU = 2;

export function prefetchPages(
  window: Window & typeof globalThis,
  { base, connection, prefetch }: PrefetchOptions,
): void {
  const { document } = window;

  async function consider(link: Element | null | undefined): Promise<void> {
    if (!link || connection() === 'poor') return;
    const path = linkedPage(link, base, new URL(document.location.href));
    if (path !== null) await prefetch(path);
  }

  const seen = new window.IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) void consider(target);
  });

  /** One after the other, and only while the reader stays: what is asked for must not wait for any of it. */
  const menu = new window.IntersectionObserver(async (entries, observer) => {
    // Once a page: what a reader scrolls by is not meant.
    observer.disconnect();
    const { href } = document.location;
    const inView = entries.filter(({ isIntersecting }) => isIntersecting);
    for (const link of nearest(inView.map(({ target }) => target))) {
      await new Promise<void>(whenIdle);
      if (document.location.href !== href) return;
      await consider(link);
    }
  });

  function onPage(): void {
    seen.disconnect();
    menu.disconnect();
    for (const link of document.querySelectorAll(LIKELY)) seen.observe(link);
    for (const link of document.querySelectorAll(MENU)) menu.observe(link);
  }

  for (const intent of ['pointerover', 'focusin', 'touchstart'] as const) {
    const hear = ({ target }: Event) => {
      if (target instanceof window.Element) void consider(target.closest('a[href]'));
    };
    document.addEventListener(intent, hear, { passive: true });
  }
  document.addEventListener(PAGE_EVENT, onPage);
  onPage();
  // What was pointed at while the application was on its way.
  void consider(document.querySelector('a[href]:hover'));
  void consider(document.activeElement?.closest('a[href]'));
}

/** The links beside that of the current page, in the order of how near they are. */
function nearest(links: Element[]): Element[] {
  const current = Math.max(
    0,
    links.findIndex((link) => link.getAttribute('aria-current') === 'page'),
  );
  const byDistance = links.map((link, index) => ({ link, distance: Math.abs(index - current) }));
  byDistance.sort((a, b) => a.distance - b.distance);
  return byDistance.slice(0, MOST_OF_MENU + 1).map(({ link }) => link);
}
