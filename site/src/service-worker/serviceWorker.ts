/**
 * Makes the site work offline. Workbox stores the shell of a build when the worker installs; the
 * rest, every page and the words of the search, when a page says that there is time for it. What is
 * stored is served from the store, so that a reader sees one build at a time. A new build waits in
 * the background until the reader agrees to it, and where it cannot be stored whole, the build
 * before stays in place.
 *
 * A site too large to be stored whole keeps its pages as they are visited. Of the search index, what
 * ranks by words is stored with the build, and what ranks by meaning as searches use it.
 */
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import {
  type ClientMessage,
  isClientMessage,
  type StoredState,
} from '../features/offline/messages';
import { connectionOf } from '../shared/lib/connection';
import { canonicalPath, hrefOf, pathOf } from '../shared/lib/paths';
import type { Build } from './build';
import { isQuotaExceeded, StoredBuild } from './storedBuild';

declare const self: ServiceWorkerGlobalScope & {
  /** Written by the build, as is the list of files. */
  readonly siftwrenBuild: Build;
};

const build = self.siftwrenBuild;
const entries = self.__WB_MANIFEST.filter((entry) => typeof entry !== 'string');
const { scope } = self.registration;
const base = new URL(scope).pathname;
const site = new StoredBuild(build, entries, scope);

/** Files that are not stored with the build: never more than the newest of so many. */
const KEPT = 300;
const visitedCache = `siftwren-visited-${scope}`;
const keepNewest = {
  async cacheDidUpdate({ cacheName }: { cacheName: string }) {
    const cache = await caches.open(cacheName);
    const oldest = (await cache.keys()).slice(0, -KEPT);
    await Promise.all(oldest.map((request) => cache.delete(request)));
  },
};
/** For pages and their data: the server while it answers, else the copy of the last visit. */
const visitedPages = new NetworkFirst({
  cacheName: visitedCache,
  networkTimeoutSeconds: 3,
  plugins: [keepNewest],
});
/** For files whose names carry a hash of their content. */
const visitedFiles = new CacheFirst({ cacheName: visitedCache, plugins: [keepNewest] });

self.addEventListener('install', (event) => {
  event.waitUntil(site.install(isWholeSiteWanted));
});
self.addEventListener('activate', (event) => {
  // What was kept of visits belongs to the build before.
  const swept = Promise.all([site.sweep(self.registration), caches.delete(visitedCache)]);
  event.waitUntil(swept.then(() => self.clients.claim()));
});
self.addEventListener('message', (event) => {
  if (isClientMessage(event.data)) event.waitUntil(hear(event.data, event));
});

registerRoute(
  ({ request, sameOrigin }) => sameOrigin && request.mode === 'navigate',
  async ({ request, url, event }) => {
    const stored = await site.page(hrefOf(base, canonicalPath(pathOf(base, url.pathname) ?? '/')));
    if (stored) return stored;
    try {
      return await visitedPages.handle({ request, event });
    } catch (error) {
      const { pathname } = url;
      const other = (await site.missingPage(pathname)) ?? (await site.offlinePage(pathname));
      if (other) return other;
      throw error;
    }
  },
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith(`${base}fragments/`),
  // The page compares the build that its data is of with its own.
  async ({ request, url, event }) =>
    (await site.page(url.pathname)) ?? visitedPages.handle({ request, event }),
);

registerRoute(site.shellRoute);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === `${base}search.json`,
  async ({ request, url, event }) => {
    // The page has found that the index which it names is gone.
    if (request.cache === 'no-store') return fetch(request);
    return (await site.file(url.href)) ?? visitedPages.handle({ request, event });
  },
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith(`${base}assets/`),
  async ({ request, url, event }) => {
    if (request.cache === 'reload') {
      // The page has found the stored copy to be damaged. Without a network it is what there is.
      const fresh = await fetch(request).catch(() => null);
      if (fresh?.ok && !(await site.replaceFile(url.href, fresh.clone()))) {
        await (await caches.open(visitedCache)).put(request, fresh.clone());
      }
      if (fresh) return fresh;
    }
    return (await site.file(url.href)) ?? visitedFiles.handle({ request, event });
  },
);

/** Whoever has a whole site offline shall not have less after an update: it is stored before. */
async function isWholeSiteWanted(): Promise<boolean> {
  return connectionOf(self.navigator) !== 'poor' && (await site.isUpdate());
}

async function hear(message: ClientMessage, event: ExtendableMessageEvent): Promise<void> {
  if (message === 'siftwren:stop') return site.stop();
  if (message === 'siftwren:accept') return self.skipWaiting();
  const tell = (state: StoredState) => event.source?.postMessage({ siftwrenStored: state });
  const isComplete = await site.isComplete();
  if (isComplete || message === 'siftwren:state') {
    tell(isComplete ? complete() : 'nothing');
  } else {
    tell('storing');
    tell(await storeOnce());
  }
  // Of an update that was broken off, or that came while this one took over.
  if (message === 'siftwren:store') await site.sweep(self.registration);
}

/** However many pages ask for it at a time. */
let storing: Promise<StoredState> | null = null;

function storeOnce(): Promise<StoredState> {
  storing ??= store().finally(() => {
    storing = null;
  });
  return storing;
}

async function store(): Promise<StoredState> {
  try {
    const { quota = Infinity, usage = 0 } = await self.navigator.storage.estimate();
    if (quota - usage < build.bytes) return 'full';
    await site.store();
    return complete();
  } catch (error) {
    const isFull = isQuotaExceeded(error);
    if (!isFull && !site.isStopped)
      console.warn('The docs could not be stored for reading offline.', error);
    return isFull ? 'full' : 'nothing';
  }
}

function complete(): StoredState {
  return build.pages === null ? 'visited' : 'stored';
}
