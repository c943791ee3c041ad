/**
 * Counts page views for a site that configured where to. Nothing is stored on the device and nobody
 * is told apart: a view is a path and a time. Readers who ask not to be tracked are not counted.
 */
export interface PageView {
  event: 'page_view';
  /** Without query and anchor. */
  path: string;
  /** Milliseconds since 1970. */
  time: number;
}

/** So many are sent at once, also while the page is still seen. */
const BATCH = 20;

/** `pageEvent` is dispatched on the document when another page has come without a load. */
export function reportPageViews(window: Window, endpoint: string, pageEvent: string): void {
  const { document, navigator } = window;
  if (refusesTracking(navigator)) return;
  let views: PageView[] = [];
  let last: string | null = null;

  function record(): void {
    const path = window.location.pathname;
    // A page that comes again in its language is not seen twice.
    if (path === last) return;
    last = path;
    views.push({ event: 'page_view', path, time: Date.now() });
    if (views.length >= BATCH) send();
  }

  /** A page that is left or put away may never come back. */
  function send(): void {
    if (views.length === 0) return;
    // Text needs no permission of the other origin, and a beacon outlives the page.
    if (navigator.sendBeacon(endpoint, JSON.stringify({ events: views }))) views = [];
  }

  document.addEventListener(pageEvent, record);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send();
  });
  window.addEventListener('pagehide', send);
  record();
}

/** Do Not Track, and its successor Global Privacy Control. */
function refusesTracking(navigator: Navigator): boolean {
  return (
    navigator.doNotTrack === '1' ||
    ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true)
  );
}
