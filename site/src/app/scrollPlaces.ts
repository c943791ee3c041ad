/**
 * Where the reader was on each entry of the history, so that Back and Forward lead there again: how far down, and at which link.
 * The restoration of the router keeps one place for all entries that the browser has made itself, for the anchors of a page.
 */
import { createContext } from 'react';
import { decoded } from '../shared/lib/paths';

const STORED = 'siftwren.places';

interface ScrollPlaces {
  /** The page of an entry has been rendered: shows the place that the reader goes to. `isTraversal`: by Back, Forward or an anchor. */
  arrive(entry: Entry, isTraversal: boolean): void;
  /** The link by which the reader has left the entry that is shown. */
  leftBy(link: Element): void;
  /** It, on the page as it is there again. */
  link(): HTMLElement | null;
}

interface Entry {
  key: string;
  pathname: string;
  hash: string;
}

interface Place {
  top: number;
  /** The address of the link, and how many others with it stand before. */
  link?: { href: string; before: number };
}

/** Absent while prerendering. */
export const PlacesContext = createContext<ScrollPlaces | null>(null);

/** To be called before there is a router, whose entries it makes of those without a key. */
export function createScrollPlaces(window: Window): ScrollPlaces {
  const { document, history } = window;
  const places: Record<string, Place> = readPlaces(window);
  let shown: Entry | null = null;
  /** An entry that came without a key: the browser brings its place into view. */
  let isOfBrowser = false;
  let last = window.scrollY;

  const place = (key: string) => {
    places[key] ??= { top: 0 };
    return places[key];
  };
  const same = (href: string) =>
    [...document.querySelectorAll<HTMLElement>('a[href]')].filter(
      (link) => link.getAttribute('href') === href,
    );

  window.addEventListener('popstate', () => {
    const state = history.state as { key?: string; idx?: number } | null;
    isOfBrowser = state?.key === undefined;
    // The first entry of the router has none either.
    if (isOfBrowser && state?.idx === undefined) {
      history.replaceState({ ...state, key: newKey(), idx: null }, '');
    }
  });
  // Of the entry that is on the screen: when the address is another one already, the page has not moved yet.
  window.addEventListener(
    'scroll',
    () => {
      last = window.scrollY;
      if (shown) place(shown.key).top = last;
    },
    { passive: true },
  );
  window.addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto';
    try {
      window.sessionStorage.setItem(STORED, JSON.stringify(places));
    } catch {
      // Private windows and a full storage: Back then leads to the top of what was left before a reload.
    }
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) history.scrollRestoration = 'manual';
  });
  // Of an entry from before a reload the browser does nothing.
  const isRestored = history.scrollRestoration === 'auto';
  history.scrollRestoration = 'manual';

  return {
    arrive(entry, isTraversal) {
      const before = shown;
      shown = entry;
      const known = places[entry.key];
      place(entry.key);
      if (before === null) {
        // The page that came as HTML is where the browser has put it.
        if (isRestored || !known) place(entry.key).top = last;
        else window.scrollTo(0, known.top);
        return;
      }
      if (before.key === entry.key) return;
      if (isTraversal && known) window.scrollTo(0, known.top);
      else if (isTraversal && isOfBrowser) return;
      else if (scrollToAnchor(document, entry.hash)) return;
      else if (entry.hash === '' || before.pathname !== entry.pathname) window.scrollTo(0, 0);
    },
    leftBy(link) {
      const href = link.getAttribute('href');
      if (!shown || href === null) return;
      place(shown.key).link = { href, before: same(href).indexOf(link as HTMLElement) };
    },
    link() {
      const left = shown && places[shown.key]?.link;
      return (left && same(left.href)[left.before]) || null;
    },
  };
}

/** As the router makes them. Browsers have `randomUUID` on https alone, and a site may be on an http of its own. */
function newKey(): string {
  return Math.random().toString(36).slice(2);
}

function scrollToAnchor(document: Document, hash: string): boolean {
  const element = document.getElementById(decoded(hash.slice(1)));
  element?.scrollIntoView();
  return element !== null;
}

/** Anybody may have written what is stored. */
function readPlaces(window: Window): Record<string, Place> {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(STORED) ?? '{}');
    const entries = Object.entries(stored as object).filter(isPlace);
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

function isPlace(entry: [string, unknown]): entry is [string, Place] {
  const [, place] = entry;
  if (typeof place !== 'object' || place === null || !('top' in place)) return false;
  const { top, link } = place as { top: unknown; link?: unknown };
  const isLink = (value: object) =>
    'href' in value && typeof value.href === 'string' && 'before' in value;
  return (
    Number.isFinite(top) &&
    (link === undefined || (typeof link === 'object' && link !== null && isLink(link)))
  );
}
