/**
 * Makes the site work offline. The shell of a build is stored when the worker installs; the rest,
 * every page and the words of the search, when a page says that there is time for it. What is stored
 * is served from the store, so that a reader sees one build at a time. A new build waits in the
 * background until the reader agrees to it, and where it cannot be stored whole, the build before
 * stays in place.
 *
 * A site too large to be stored whole keeps its pages as they are visited.
 */
import {
  type ClientMessage,
  isClientMessage,
  type StoredState,
} from '../features/offline/messages';
import { connectionOf } from '../shared/lib/connection';
import { canonicalPath, hrefOf, pathOf } from '../shared/lib/paths';
import type { Build } from './build';
import { Store } from './store';
import { Visited } from './visited';

declare const self: ServiceWorkerGlobalScope & {
  /** In front of this code, written by the build. */
  readonly siftwrenBuild: Build;
};

const build = self.siftwrenBuild;
const { scope } = self.registration;
const base = new URL(scope).pathname;
const store = new Store(build, scope);
const visited = new Visited(scope);
/** One at a time, however many pages ask. */
let storing: Promise<StoredState> | null = null;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => {
  event.waitUntil(store.sweep().then(() => self.clients.claim()));
});
self.addEventListener('message', (event) => {
  if (isClientMessage(event.data)) event.waitUntil(hear(event.data, event.source));
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  const path = pathOf(base, url.pathname);
  if (path === null) return;
  if (request.mode === 'navigate') event.respondWith(page(request, path));
  else if (path.startsWith('/fragments/')) event.respondWith(pageData(request, url));
  else if (path.startsWith('/assets/')) event.respondWith(asset(request, url));
  else if (build.shell.some(([file]) => file === url.pathname)) {
    event.respondWith(store.match(url.pathname).then((found) => found ?? fetch(request)));
  }
});

async function install(): Promise<void> {
  try {
    await store.storeShell();
    // Whoever has a whole site offline shall not have less after an update.
    if (connectionOf(self.navigator) !== 'poor' && (await store.isUpdateOfCompleteSite())) {
      await store.storeSite();
    }
  } catch (error) {
    await store.delete();
    throw error;
  }
}

async function hear(message: ClientMessage, source: ExtendableMessageEvent['source']) {
  if (message === 'siftwren:accept') return self.skipWaiting();
  const tell = (state: StoredState) => source?.postMessage({ siftwrenStored: state });
  if (message === 'siftwren:store') {
    // What an update that failed has left; while one is under way, it is not ours to remove.
    if (!self.registration.installing && !self.registration.waiting) await store.sweepBuilds();
    if (!(await store.isComplete())) tell('storing');
    storing ??= storeSite().finally(() => {
      storing = null;
    });
    tell(await storing);
  } else {
    tell((await store.isComplete()) ? complete() : 'nothing');
  }
}

async function storeSite(): Promise<StoredState> {
  try {
    const { quota = Infinity, usage = 0 } = await self.navigator.storage.estimate();
    if (!(await store.isComplete()) && quota - usage < build.bytes) return 'full';
    await store.storeSite();
    return complete();
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    if (!isFull) console.warn('The docs could not be stored for reading offline.', error);
    return isFull ? 'full' : 'nothing';
  }
}

function complete(): StoredState {
  return build.pages === null ? 'visited' : 'stored';
}

async function page(request: Request, path: string): Promise<Response> {
  const stored = await store.match(hrefOf(base, canonicalPath(path)));
  if (stored) return stored;
  try {
    return await visited.networkFirst(request);
  } catch (error) {
    const offline = await store.match(build.offline);
    if (offline) return offline;
    throw error;
  }
}

/** The page compares the build that its data is of with its own. */
async function pageData(request: Request, url: URL): Promise<Response> {
  return (await store.match(url.pathname)) ?? visited.networkFirst(request);
}

async function asset(request: Request, url: URL): Promise<Response> {
  if (request.cache === 'reload') {
    // The page has found the stored copy to be damaged. Without a network it is what there is.
    const fresh = await fetch(request).catch(() => null);
    if (fresh?.ok && !(await store.replace(url.pathname, fresh.clone()))) {
      await visited.put(request, fresh.clone());
    }
    if (fresh) return fresh;
  }
  return (await store.match(url.pathname)) ?? visited.cacheFirst(request);
}
