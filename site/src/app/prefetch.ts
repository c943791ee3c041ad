/**
 * Fetches the data of a page before it is asked for: when a link to it is pointed at or focused, and
 * when one at the foot of a page comes into view. Never on 2g or with data saving.
 */
import type { Connection } from '../shared/lib/connection';
import { linkedPage } from './navigation';
import { PAGE_EVENT } from './pageEvent';

export interface PrefetchOptions {
  base: string;
  /** Asked each time: readers enter tunnels. */
  connection(): Connection;
  prefetch(path: string): void;
}

/** Links that a reader who has come to them is likely to follow. */
const LIKELY = 'main a[rel="next"], main a[rel="prev"]';

export function prefetchPages(
  window: Window & typeof globalThis,
  { base, connection, prefetch }: PrefetchOptions,
): void {
  const { document } = window;

  function consider(link: Element | null | undefined): void {
    if (!link || connection() === 'poor') return;
    const path = linkedPage(link, base, new URL(document.location.href));
    if (path !== null) prefetch(path);
  }

  const seen = new window.IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) consider(target);
  });

  function onPage(): void {
    seen.disconnect();
    for (const link of document.querySelectorAll(LIKELY)) seen.observe(link);
  }

  for (const intent of ['pointerover', 'focusin', 'touchstart'] as const) {
    const hear = ({ target }: Event) => {
      if (target instanceof window.Element) consider(target.closest('a[href]'));
    };
    document.addEventListener(intent, hear, { passive: true });
  }
  document.addEventListener(PAGE_EVENT, onPage);
  onPage();
  // What was pointed at while the application was on its way.
  consider(document.querySelector('a[href]:hover'));
  consider(document.activeElement?.closest('a[href]'));
}
