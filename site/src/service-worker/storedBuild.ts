/**
 * A build on the device, all of it in one cache of its own: the shell, the files of the site, and the
 * pages, which come packed in one of these files. So no build can serve what another has stored, and
 * of one that could not be stored whole nothing is left.
 *
 * The files are stored by Workbox's precaching, each against its digest.
 */
import { PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching';
import { isFile } from '../shared/lib/paths';
import type { Build, PackedSite } from './build';

export class StoredBuild {
  readonly #build: Build;
  readonly #scope: string;
  readonly #shell: PrecacheController;
  readonly #files: PrecacheController;
  /** The browser's own cache keeps a damaged copy for as long as a good one: a second attempt goes past it. */
  #isSecondAttempt = false;
  readonly #stopping = new AbortController();

  constructor(build: Build, entries: readonly PrecacheEntry[], scope: string) {
    this.#build = build;
    this.#scope = scope;
    const isShell = ({ url }: PrecacheEntry) => build.shell.includes(url);
    this.#shell = this.#precaching(entries.filter(isShell));
    this.#files = this.#precaching(entries.filter((entry) => !isShell(entry)));
  }

  /** Answers for the files of the shell. */
  get shellRoute(): PrecacheRoute {
    return new PrecacheRoute(this.#shell, { directoryIndex: '', cleanURLs: false });
  }

  /** The page that stands in for one that is not stored: that of the site, or of a folder that the other one is in. */
  offlinePage(path = ''): Promise<Response | undefined> {
    return this.#shell.matchPrecache(around(path, this.#build.offline));
  }

  /** The page that stands in for one that there is not, where every page is stored; files are not. */
  async missingPage(path: string): Promise<Response | undefined> {
    const { missing, pages } = this.#build;
    if (pages === null || isFile(path) || !(await this.isComplete())) return undefined;
    const page = await this.page(around(path, missing));
    return page && new Response(page.body, { headers: page.headers, status: 404 });
  }

  /** A page or its data. A browser that has lost its storage has none. */
  async page(url: string): Promise<Response | undefined> {
    return (await this.#cache())?.match(url);
  }

  /** A file of the site. */
  async file(url: string): Promise<Response | undefined> {
    return this.#files.matchPrecache(url).catch(() => undefined);
  }

  /** Puts a file in the place of a damaged one; the answer is whether it belongs to the site. */
  async replaceFile(url: string, response: Response): Promise<boolean> {
    const key = this.#files.getCacheKeyForURL(url);
    if (key === undefined) return false;
    await (await caches.open(this.#name)).put(key, response);
    return true;
  }

  /**
   * Stores the shell, and the rest too where `isWanted` says so. Where anything fails, nothing is
   * left of the attempt; what was there before it belongs to the same build in use, and stays.
   */
  async install(isWanted: () => Promise<boolean>): Promise<void> {
    const wasThere = await caches.has(this.#name);
    try {
      await this.#fetchAll(this.#shell);
      if (await isWanted()) await this.store();
    } catch (error) {
      if (!wasThere) await caches.delete(this.#name);
      throw error;
    }
  }

  /** Stores what is missing of the site, the shell included: it may have been evicted. */
  async store(): Promise<void> {
    await this.#fetchAll(this.#shell);
    await this.#fetchAll(this.#files);
    const { pages } = this.#build;
    const packed = pages === null ? undefined : await this.file(pages);
    if (pages !== null && !packed) throw new Error(`${pages} is gone`);
    await this.#unpack(packed ? await packed.json() : { styles: [], pages: [] });
  }

  /** Ends what is being stored, for good: a browser lets no other version take over before that. */
  stop(): void {
    this.#stopping.abort();
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Whether everything is there: nothing was evicted or cleared since it was stored. */
  async isComplete(): Promise<boolean> {
    const cache = await this.#cache();
    const count = await (await cache?.match(this.#mark))?.text();
    return cache !== undefined && Number(count) === (await cache.keys()).length;
  }

  /** Whether a reader has the whole site of another build. */
  async isUpdate(): Promise<boolean> {
    for (const name of await this.#otherBuilds()) {
      if (await caches.match(this.#mark, { cacheName: name })) return true;
    }
    return false;
  }

  /** Removes what other builds have left, unless one of them may be on its way. */
  async sweep(registration: ServiceWorkerRegistration): Promise<void> {
    const names = await this.#otherBuilds();
    if (registration.installing || registration.waiting) return;
    await Promise.all(names.map((name) => caches.delete(name)));
  }

  get #name(): string {
    return `siftwren-build-${this.#build.version}-${this.#scope}`;
  }

  /** Written last: its content is how many entries there are with it. */
  get #mark(): string {
    return `${this.#scope}sw.js?complete`;
  }

  /** Not made by looking for it. */
  async #cache(): Promise<Cache | undefined> {
    try {
      const isThere = await caches.has(this.#name);
      return isThere ? await caches.open(this.#name) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Others on the same origin may have caches of their own; ours are named after the scope. */
  async #otherBuilds(): Promise<string[]> {
    const isOurs = (name: string) =>
      name.startsWith('siftwren-build-') && name.endsWith(`-${this.#scope}`);
    return (await caches.keys()).filter((name) => isOurs(name) && name !== this.#name);
  }

  #precaching(entries: PrecacheEntry[]): PrecacheController {
    const isInstall = (event: Event | undefined) => event instanceof LateInstall;
    const controller = new PrecacheController({
      cacheName: this.#name,
      plugins: [
        {
          requestWillFetch: async ({ request, event }) => {
            if (!isInstall(event)) return request;
            const { signal } = this.#stopping;
            return new Request(
              request,
              this.#isSecondAttempt ? { signal, cache: 'reload' } : { signal },
            );
          },
          cachedResponseWillBeUsed: async ({ request, cachedResponse, event }) =>
            cachedResponse ?? (isInstall(event) ? await this.#fromOtherBuild(request) : undefined),
        },
      ],
    });
    controller.addToCacheList(entries);
    return controller;
  }

  /** What did not change between builds is not loaded again: the key carries a hash of the content. */
  async #fromOtherBuild(key: Request): Promise<Response | undefined> {
    for (const cacheName of await this.#otherBuilds()) {
      const response = await caches.match(key, { cacheName });
      if (!response) continue;
      await (await caches.open(this.#name)).put(key, response.clone());
      return response;
    }
    return undefined;
  }

  async #fetchAll(files: PrecacheController): Promise<void> {
    try {
      await files.install(new LateInstall());
    } catch (error) {
      if (isQuotaExceeded(error) || this.isStopped) throw error;
      this.#isSecondAttempt = true;
      await files.install(new LateInstall());
    }
  }

  async #unpack({ styles, pages }: PackedSite): Promise<void> {
    const cache = await caches.open(this.#name);
    // Under the policy that the server gave the page of the shell.
    const sent = (await this.offlinePage())?.headers;
    const headers = new Headers(sent);
    for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified', 'vary']) {
      headers.delete(name);
    }
    for (const { url, dataUrl, document, data, html } of pages) {
      this.#stopping.signal.throwIfAborted();
      const whole = html ? { ...data, html: document.slice(...html) } : data;
      await cache.put(url, new Response(withStyles(document, styles), { headers }));
      if (dataUrl !== null) await cache.put(dataUrl, Response.json(whole));
    }
    const packed = this.#files.getCacheKeyForURL(this.#build.pages ?? '');
    if (packed !== undefined) await cache.delete(packed);
    await cache.delete(this.#mark);
    await cache.put(this.#mark, new Response(String((await cache.keys()).length + 1)));
  }
}

/** Of pages that stand in for others, the one in the innermost folder around a path. */
function around(path: string, pages: readonly string[]): string {
  const folderOf = (page: string) => page.slice(0, page.lastIndexOf('/') + 1);
  const found = pages.filter((page) => `${path}/`.startsWith(folderOf(page)));
  return found.sort((a, b) => b.length - a.length)[0] ?? pages[0] ?? '';
}

function withStyles(document: string, styles: PackedSite['styles']): string {
  const end = document.indexOf('</head>');
  const head = document.slice(0, end);
  const whole = head.replace(/<style>(\d+)</g, (_, number) => `<style>${styles[number]}<`);
  return whole + document.slice(end);
}

export function isQuotaExceeded(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

/** Workbox stores files during an event named so; here whoever calls waits for them. */
class LateInstall extends ExtendableEvent {
  constructor() {
    super('install');
  }

  override waitUntil(): void {
    // The event that is waited for does not fail with a first attempt.
  }
}
