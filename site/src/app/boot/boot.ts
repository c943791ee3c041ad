/**
 * The one script that runs at load. It is small and blocks the first paint on purpose: the theme
 * and the announcement must be right before anything is seen. Everything else waits for an event,
 * most of it in `later.ts`.
 *
 * What differs between pages and sites stands in the attributes of its own script element.
 */
import { applyDismissal, dismiss } from '../../features/announcement/dismissal';
import { createDrawer } from '../../features/drawer/drawer';
import { applyStoredTheme, toggleTheme } from '../../features/theme/themeChoice';
import { connectionOf } from '../../shared/lib/connection';
import { canonicalPath } from '../../shared/lib/paths';
import type { Application, StartOptions } from '../client';
import { reloadIfReplaced } from '../replacedBuild';
import { createApplicationLoader } from './application';
import type { LaterOptions } from './later';
import { selectedText } from './selectedText';
import { isSearchShortcut } from './shortcuts';
import { showToast } from './toast';

const root = document.documentElement;
let isPresent = false;
const settings = (document.currentScript as HTMLScriptElement).dataset;

applyStoredTheme(root);
if (settings.announcement) applyDismissal(root, settings.announcement);
root.dataset.js = '';
if (/mac|iphone|ipad/i.test(navigator.platform)) root.dataset.mac = '';

if (settings.searchProblem) console.warn(`siftwren: ${settings.searchProblem}`);

// A page that exists under its plain address only: `/docs/x.html` and `/docs/x/index.html`.
if (settings.missing !== undefined && location.pathname.endsWith('.html')) {
  location.replace(canonicalPath(location.pathname) + location.search + location.hash);
}

const drawer = createDrawer(window);
const application = createApplicationLoader(loadApplication, document, {
  waiting(isWaiting) {
    for (const button of document.querySelectorAll('[data-search]')) {
      button.setAttribute('aria-busy', String(isWaiting));
    }
  },
  failed(error, what) {
    console.error(error);
    void reloadIfReplaced(window, settings.site ?? '').then((reloads) => {
      if (reloads) return;
      showToast(
        document,
        `${what} could not be loaded. Check your connection and try again.`,
        null,
      );
    });
  },
});

document.addEventListener('keydown', (event) => {
  if (settings.hasSearch === undefined || !isSearchShortcut(event)) return;
  event.preventDefault();
  drawer.close();
  application.search(selectedText(window));
});

document.addEventListener('click', (event) => {
  const target = event.target as Element;
  const search = target.closest<HTMLElement>('[data-search]');
  if (search) application.search(search.dataset.search || selectedText(window));
  const button = target.closest<HTMLElement>('[data-console]');
  if (button) application.console(button);
  if (target.closest('[data-theme-toggle]')) toggleTheme(root, prefersLight());
  if (target.closest('[data-announcement-close]')) dismiss(root, settings.announcement ?? '');
});

/** Calls the task when the main thread has nothing else to do. */
const idle: (task: () => void) => void =
  window.requestIdleCallback ?? ((task) => setTimeout(task, 2000));

/** Anything by which readers show that they are there, and perhaps about to go somewhere or to search. */
for (const intent of ['pointerover', 'focusin', 'touchstart'] as const) {
  document.addEventListener(intent, warmOnIntent, { passive: true });
}

document.addEventListener('DOMContentLoaded', () => {
  // What is chosen in them should be there before anybody reads.
  if (document.querySelector('.tabs')) loadLater();
});

window.addEventListener('load', () => {
  idle(loadLater);
  const connection = connectionOf(navigator);
  if (connection === 'good') setTimeout(() => idle(fetchApplication), 1500);
  // Only the application knows pages that the missing one may be.
  if (settings.missing !== undefined && connection !== 'poor') application.warm();
});
window.addEventListener('scroll', onPresence, { once: true, passive: true });

/** Starting the application costs the main thread more than the whole page did: for a reader who is there. */
function onPresence(): void {
  loadLater();
  if (isPresent || connectionOf(navigator) !== 'good') return;
  isPresent = true;
  idle(warmAll);
}

function warmOnIntent(event: Event): void {
  onPresence();
  const target = event.target;
  if (!(target instanceof Element)) return;
  if (target.closest('a[href], [data-search], [data-console]')) application.warm();
  if (target.closest('[data-search]') && connectionOf(navigator) !== 'poor') {
    application.warmSearch();
  }
}

/** Brings the application into the cache, and runs none of it. */
function fetchApplication(): void {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = settings.app ?? '';
  document.head.append(link);
}

function warmAll(): void {
  if (settings.hasSearch === undefined) application.warm();
  else application.warmSearch();
}

function prefersLight(): boolean {
  return matchMedia('(prefers-color-scheme: light)').matches;
}

let isLaterWanted = false;

function loadLater(): void {
  if (isLaterWanted) return;
  isLaterWanted = true;
  startLater().catch((error: unknown) => {
    // The page can be read without it. The next thing that the reader does is the next attempt.
    isLaterWanted = false;
    console.warn('A part of the page could not be loaded.', error);
  });
}

async function startLater(): Promise<void> {
  const module = (await import(/* @vite-ignore */ settings.later ?? '')) as {
    start(options: LaterOptions): void;
  };
  module.start({
    worker: settings.worker ?? null,
    showToast: (message, action) => showToast(document, message, action),
  });
}

async function loadApplication(): Promise<Application> {
  const module = (await import(/* @vite-ignore */ settings.app ?? '')) as {
    start(options: StartOptions): Promise<Application>;
  };
  return module.start({
    base: settings.base ?? '/',
    site: settings.site ?? '',
    nav: settings.nav ?? null,
  });
}
