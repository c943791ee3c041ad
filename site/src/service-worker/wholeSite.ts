/**
 * The whole site on the device: Workbox's precaching for the files, started when there is time
 * instead of at install, and the pages, which come packed in one of these files.
 *
 * Files have names or revisions of their content, so builds share a cache. Pages have the same
 * address in every build: each build has a cache of its own for them.
 */
import { matchPrecache, PrecacheController, type PrecacheEntry } from 'workbox-precaching';
import type { Build, PackedSite } from './build';

export class WholeSite {
  readonly #build: Build;
  readonly #scope: string;
  readonly #filesCache: string;
  readonly #files: PrecacheController;
  readonly #urls: readonly string[];

  constructor(build: Build, entries: readonly PrecacheEntry[], scope: string) {
    this.#build = build;
    this.#scope = scope;
    this.#filesCache = `siftwren-site-${scope}`;
    this.#files = new PrecacheController({ cacheName: this.#filesCache });
    this.#files.addToCacheList([...entries]);
    this.#urls = entries.map(({ url }) => url).filter((url) => url !== build.pages);
  }

  /** A page or its data. A browser that has lost its storage has none. */
  async page(url: string): Promise<Response | undefined> {
    return (await this.#cachedPages())?.match(url);
  }

  /** A file of the build. */
  async file(url: string): Promise<Response | undefined> {
    return this.#files.matchPrecache(url).catch(() => undefined);
  }

  /** Puts a file in the place of a damaged one; the answer is whether it belongs to the site. */
  async replaceFile(url: string, response: Response): Promise<boolean> {
    const key = this.#files.getCacheKeyForURL(url);
    if (key === undefined) return false;
    await (await caches.open(this.#filesCache)).put(key, response);
    return true;
  }

  /** Stores what is missing of the site. */
  async store(event: ExtendableEvent): Promise<void> {
    await this.#files.install(new LateInstall(event));
    const { pages } = this.#build;
    const packed = pages === null ? undefined : await this.file(pages);
    if (pages !== null && !packed) throw new Error(`${pages} is gone`);
    await this.#unpack(packed ? await packed.json() : { styles: [], pages: [] });
    const key = this.#files.getCacheKeyForURL(pages ?? '');
    if (key !== undefined) await (await caches.open(this.#filesCache)).delete(key);
  }

  /** Whether everything is there: nothing was evicted or cleared since it was stored. */
  async isComplete(): Promise<boolean> {
    const pages = await this.#cachedPages();
    const count = await (await pages?.match(this.#mark))?.text();
    if (!pages || Number(count) !== (await pages.keys()).length) return false;
    const files = await Promise.all(this.#urls.map((url) => this.file(url)));
    return files.every((file) => file !== undefined);
  }

  /** Whether a reader has the whole site of another build. */
  async isUpdate(): Promise<boolean> {
    for (const name of await this.#otherBuilds()) {
      if (await caches.match(this.#mark, { cacheName: name })) return true;
    }
    return false;
  }

  /** Removes what other builds have left. */
  async sweep(event: ExtendableEvent): Promise<void> {
    await this.#files.activate(event);
    for (const name of await this.#otherBuilds()) await caches.delete(name);
  }

  get #pagesCache(): string {
    return `siftwren-pages-${this.#build.id}-${this.#scope}`;
  }

  /** Written last: its content is how many entries there are with it. */
  get #mark(): string {
    return `${this.#scope}sw.js?complete`;
  }

  /** Not made by looking for it. */
  async #cachedPages(): Promise<Cache | undefined> {
    try {
      const isThere = await caches.has(this.#pagesCache);
      return isThere ? await caches.open(this.#pagesCache) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Others on the same origin may have caches of their own; ours are named after the scope. */
  async #otherBuilds(): Promise<string[]> {
    const isOurs = (name: string) =>
      name.startsWith('siftwren-pages-') && name.endsWith(`-${this.#scope}`);
    return (await caches.keys()).filter((name) => isOurs(name) && name !== this.#pagesCache);
  }

  async #unpack({ styles, pages }: PackedSite): Promise<void> {
    const cache = await caches.open(this.#pagesCache);
    // Under the policy that the server gave the page of the shell.
    const sent = (await matchPrecache(this.#build.offline))?.headers;
    const headers = new Headers(sent);
    for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified', 'vary']) {
      headers.delete(name);
    }
    for (const { url, dataUrl, document, data, html } of pages) {
      const whole = html ? { ...data, html: document.slice(...html) } : data;
      await cache.put(url, new Response(withStyles(document, styles), { headers }));
      if (dataUrl !== null) await cache.put(dataUrl, Response.json(whole));
    }
    await cache.delete(this.#mark);
    await cache.put(this.#mark, new Response(String((await cache.keys()).length + 1)));
  }
}

function withStyles(document: string, styles: PackedSite['styles']): string {
  const end = document.indexOf('</head>');
  const head = document.slice(0, end);
  const whole = head.replace(/<style>(\d+)</g, (_, number) => `<style>${styles[number]}<`);
  return whole + document.slice(end);
}

/** Workbox stores files during an event named so; here it is part of another one. */
class LateInstall extends ExtendableEvent {
  readonly #event: ExtendableEvent;

  constructor(event: ExtendableEvent) {
    super('install');
    this.#event = event;
  }

  override waitUntil(work: Promise<unknown>): void {
    this.#event.waitUntil(work);
  }
}
