/**
 * Makes the site work offline. Everything that one build consists of is stored when the worker
 * installs: all of it or nothing, so a broken update leaves the version before in place. Stored
 * pages are served from the store, so what a reader sees is always of one build; a new build waits
 * in the background until the reader agrees to it.
 *
 * A site too large to be stored whole keeps its pages as they are visited. Of the search index, what
 * ranks by words is stored with the build, and what ranks by meaning as searches use it.
 */
import { cacheNames } from 'workbox-core';
import { getCacheKeyForURL, matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import { ACCEPT_MESSAGE } from '../features/offline/messages';
import { canonicalPath, hrefOf, pathOf } from '../shared/lib/paths';

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: { url: string; revision: string | null }[];
};

/** Set by the build. */
declare const __SIFTWREN_BUILD__: string;

const base = new URL('./', self.location.href).pathname;
const offlinePage = hrefOf(base, '/offline.html');

/** For pages that are not stored: the server while it answers, else the copy of the last visit. */
const visitedCache = `siftwren-visited-${self.registration.scope}`;
const visited = new NetworkFirst({ cacheName: visitedCache, networkTimeoutSeconds: 3 });

/** Files of the index: never more than the newest of so many. */
const INDEX_FILES = 200;
const indexCache = `siftwren-index-${self.registration.scope}`;
const indexFiles = new CacheFirst({
  cacheName: indexCache,
  plugins: [
    {
      async cacheDidUpdate({ cacheName }) {
        const cache = await caches.open(cacheName);
        const oldest = (await cache.keys()).slice(0, -INDEX_FILES);
        await Promise.all(oldest.map((request) => cache.delete(request)));
      },
    },
  ],
});

self.addEventListener('message', (event) => {
  if (event.data === ACCEPT_MESSAGE) void self.skipWaiting();
});
self.addEventListener('activate', (event) => {
  // What was kept of visited pages belongs to the build before.
  event.waitUntil(Promise.all([caches.delete(visitedCache), self.clients.claim()]));
});

registerRoute(
  ({ request, sameOrigin }) => sameOrigin && request.mode === 'navigate',
  async ({ request, url, event }) => {
    const path = canonicalPath(pathOf(base, url.pathname) ?? '/');
    const stored = await matchPrecache(hrefOf(base, path));
    if (stored) return stored;
    try {
      return await visited.handle({ request, event });
    } catch (error) {
      const offline = await matchPrecache(offlinePage);
      if (offline) return offline;
      throw error;
    }
  },
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.searchParams.has('v'),
  async ({ request, url, event }) => {
    // Page data of another build must come from the server: the store knows only its own.
    const stored =
      url.searchParams.get('v') === __SIFTWREN_BUILD__
        ? await matchPrecache(url.pathname)
        : undefined;
    return stored ?? visited.handle({ request, event });
  },
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith(`${base}assets/search/`),
  async ({ request, url, event }) => {
    if (request.cache === 'reload') {
      // The page has found the stored copy to be damaged.
      const fresh = await fetch(request).catch(() => null);
      if (fresh?.ok) {
        const key = getCacheKeyForURL(url.href);
        const cache = await caches.open(key === undefined ? indexCache : cacheNames.precache);
        await cache.put(key ?? request, fresh.clone());
      }
      if (fresh) return fresh;
    }
    return (await matchPrecache(url.href)) ?? indexFiles.handle({ request, event });
  },
);

precacheAndRoute(self.__WB_MANIFEST, { directoryIndex: '', cleanURLs: false });
