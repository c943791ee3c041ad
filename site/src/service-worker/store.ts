/**
 * The files of one build, in one cache. The shell is there from the moment the worker is installed;
 * the rest comes later, and a mark says when it is complete. Nothing is kept that is not what the
 * build wrote, to the last byte.
 */
import type { Build, BuildFile, PackedPage } from './build';
import { visitedName } from './visited';

/** How many files are fetched at a time. */
const AT_ONCE = 6;

export class Store {
  readonly #build: Build;
  readonly #scope: string;
  readonly #name: string;

  constructor(build: Build, scope: string) {
    this.#build = build;
    this.#scope = scope;
    this.#name = this.#nameOf(build.id);
  }

  /** What is stored at an address. A browser that has lost its storage has nothing. */
  async match(url: string): Promise<Response | undefined> {
    try {
      return await caches.match(url, { cacheName: this.#name });
    } catch {
      return undefined;
    }
  }

  async storeShell(): Promise<void> {
    await this.#storeAll(this.#build.shell);
  }

  /** Stores what is missing of the rest of the site. */
  async storeSite(): Promise<void> {
    if (await this.isComplete()) return;
    await this.#storeAll(this.#build.site.filter(([url]) => url !== this.#build.pages));
    await this.#storePages();
    const cache = await caches.open(this.#name);
    await cache.put(this.#mark, new Response(String((await cache.keys()).length + 1)));
  }

  /** Whether everything is there: nothing was evicted or cleared since it was stored. */
  async isComplete(): Promise<boolean> {
    const mark = await this.match(this.#mark);
    if (!mark) return false;
    const cache = await caches.open(this.#name);
    return (await cache.keys()).length === Number(await mark.text());
  }

  /** Puts a file in the place of a damaged one; the answer is whether this store keeps it. */
  async replace(url: string, response: Response): Promise<boolean> {
    if (!(await this.match(url))) return false;
    await (await caches.open(this.#name)).put(url, response);
    return true;
  }

  async delete(): Promise<void> {
    await caches.delete(this.#name);
  }

  /** Whether a reader has the whole site of another build. */
  async isUpdateOfCompleteSite(): Promise<boolean> {
    for (const name of await this.#otherCaches()) {
      if (await caches.match(this.#mark, { cacheName: name })) return true;
    }
    return false;
  }

  /** Removes what other builds have left, and earlier versions of this worker. */
  async sweep(): Promise<void> {
    for (const name of await this.#otherCaches()) await caches.delete(name);
  }

  /** The same, but for what was kept of visits. */
  async sweepBuilds(): Promise<void> {
    for (const name of await this.#otherCaches()) {
      if (name !== visitedName(this.#scope)) await caches.delete(name);
    }
  }

  #nameOf(id: string): string {
    return `siftwren-${id}-${this.#scope}`;
  }

  get #mark(): string {
    return `${this.#scope}sw.js?complete`;
  }

  /** Others on the same origin may have caches of their own; ours are named after the scope. */
  async #otherCaches(): Promise<string[]> {
    const names = await caches.keys();
    return names.filter((name) => name.endsWith(`-${this.#scope}`) && name !== this.#name);
  }

  async #storeAll(files: readonly BuildFile[]): Promise<void> {
    const cache = await caches.open(this.#name);
    const stored = new Set((await cache.keys()).map(({ url }) => url));
    const queue = files.filter(([url]) => !stored.has(new URL(url, this.#scope).href)).values();
    const work = async () => {
      for (const file of queue) await cache.put(file[0], await this.#get(file));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** From another build, the browser's cache or the server: whichever has exactly this file. */
  async #get([url, digest]: BuildFile): Promise<Response> {
    for (const name of await this.#otherCaches()) {
      const known = await caches.match(url, { cacheName: name });
      if (known && (await isIntact(known, digest))) return known;
    }
    // A hashed name is as good as the file; the others may have changed under theirs.
    const usual = url.includes('/assets/') ? 'default' : 'no-cache';
    for (const cache of [usual, 'reload'] as const) {
      const response = await fetch(url, { cache });
      if (!response.ok)
        throw new Error(`${url}: the server answered with status ${response.status}`);
      if (await isIntact(response, digest))
        return asStored(await response.blob(), response.headers);
    }
    throw new Error(`${url}: not what this build wrote`);
  }

  async #storePages(): Promise<void> {
    const file = this.#build.site.find(([url]) => url === this.#build.pages);
    if (!file) return;
    const pages: PackedPage[] = await (await this.#get(file)).json();
    const cache = await caches.open(this.#name);
    // Under the policy that the server gave the page of the shell.
    const headers = (await this.match(this.#build.offline))?.headers ?? new Headers();
    for (const { url, dataUrl, document, data, html } of pages) {
      const whole = html ? { ...data, html: document.slice(...html) } : data;
      await cache.put(url, asStored(document, headers));
      await cache.put(dataUrl, Response.json(whole));
    }
  }
}

/** Of its own: without a redirect on its way, and without headers that speak of how it travelled. */
function asStored(body: BodyInit, sent: Headers): Response {
  const headers = new Headers(sent);
  for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified', 'vary']) {
    headers.delete(name);
  }
  return new Response(body, { headers });
}

async function isIntact(response: Response, digest: string): Promise<boolean> {
  const hash = await crypto.subtle.digest('SHA-256', await response.clone().arrayBuffer());
  const text = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return text.replaceAll('+', '-').replaceAll('/', '_').startsWith(digest);
}
