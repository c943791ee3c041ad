/**
 * The one script that runs at load. It is small and blocks the first paint on purpose: the theme
 * and the announcement must be right before anything is seen. Everything else waits for an event.
 *
 * What differs between pages and sites stands in the attributes of its own script element.
 */
import { applyDismissal, dismiss } from '../../features/announcement/dismissal';
import { createDrawer } from '../../features/drawer/drawer';
import {
  askWhatIsStored,
  type OfflineEvents,
  registerServiceWorker,
} from '../../features/offline/registration';
import { applyStoredTheme, toggleTheme } from '../../features/theme/themeChoice';
import { createScriptUrlPolicy } from '../../platform/trustedScriptUrl';
import { connectionOf } from '../../shared/lib/connection';
import { canonicalPath } from '../../shared/lib/paths';
import type { Application, StartOptions } from '../client';
import { PAGE_EVENT } from '../pageEvent';
import { createApplicationLoader } from './application';
import { copyCode, prepareCode } from './code';
import { followReading } from './readingPosition';
import { revealCurrent } from './revealCurrent';
import { isSearchShortcut } from './shortcuts';
import { showToast } from './toast';

const root = document.documentElement;
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
  failed(error) {
    console.error(error);
    showToast(document, 'Search could not be loaded. Check your connection and try again.', null);
  },
});

document.addEventListener('keydown', (event) => {
  if (settings.hasSearch === undefined || !isSearchShortcut(event)) return;
  event.preventDefault();
  drawer.close();
  application.search('');
});

document.addEventListener('click', (event) => {
  const target = event.target as Element;
  const search = target.closest<HTMLElement>('[data-search]');
  if (search) application.search(search.dataset.search ?? '');
  if (target.closest('[data-theme-toggle]')) toggleTheme(root, prefersLight());
  if (target.closest('[data-announcement-close]')) dismiss(root, settings.announcement ?? '');
  const copy = target.closest<HTMLElement>('.code-copy');
  if (copy) void copyCode(copy, navigator.clipboard);
});

/** Anything by which readers show that they are about to go somewhere or to search. */
for (const intent of ['pointerover', 'focusin', 'touchstart'] as const) {
  document.addEventListener(intent, warmOnIntent, { passive: true });
}

const offlineEvents: OfflineEvents = {
  stored(state) {
    root.dataset.offline = state;
  },
  update(update) {
    showToast(document, 'A new version of these docs is available.', {
      label: 'Update',
      perform: update.accept,
    });
  },
};

let stopFollowing = () => {};
document.addEventListener('DOMContentLoaded', onPage);
document.addEventListener(PAGE_EVENT, onPage);

window.addEventListener('load', () => {
  const connection = connectionOf(navigator);
  const idle: (task: () => void) => void =
    window.requestIdleCallback ?? ((task) => setTimeout(task, 2000));
  if (connection === 'good') setTimeout(() => idle(warmAll), 1500);
  if (!settings.worker || !('serviceWorker' in navigator)) return;
  const url = createScriptUrlPolicy('siftwren-sw')(settings.worker);
  if (connection === 'poor') askWhatIsStored(navigator.serviceWorker, offlineEvents);
  else {
    idle(() => {
      registerServiceWorker(window, url, offlineEvents).catch((error: unknown) =>
        console.warn('The docs are not available offline.', error),
      );
    });
  }
});

function onPage(): void {
  prepareCode(document);
  requestAnimationFrame(() => revealCurrent(document));
  stopFollowing();
  stopFollowing = followReading(window);
}

function warmOnIntent(event: Event): void {
  const target = event.target;
  if (!(target instanceof Element)) return;
  if (target.closest('a[href], [data-search]')) application.warm();
  if (target.closest('[data-search]') && connectionOf(navigator) !== 'poor') {
    application.warmSearch();
  }
}

function warmAll(): void {
  if (settings.hasSearch === undefined) application.warm();
  else application.warmSearch();
}

function prefersLight(): boolean {
  return matchMedia('(prefers-color-scheme: light)').matches;
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
