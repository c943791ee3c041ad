/** What was used and is not stored with the build: kept as it passes, so that it is there again. */

/** Never more than the newest of so many. */
const KEPT = 300;
/** The server's time to answer, before a copy of the last visit does. */
const PATIENCE_MS = 3000;

/** Of no build: `Store.sweep` removes it with the builds, when a new one takes over. */
export function visitedName(scope: string): string {
  return `siftwren-visited-${scope}`;
}

export class Visited {
  readonly #name: string;

  constructor(scope: string) {
    this.#name = visitedName(scope);
  }

  /** For pages and their data: the server while it answers, else the copy. */
  async networkFirst(request: Request): Promise<Response> {
    const fetched = this.#fetch(request);
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
    const inTime = await Promise.race([fetched.catch(() => undefined), late]);
    return inTime ?? (await this.#match(request)) ?? fetched;
  }

  /** For files whose names carry a hash of their content. */
  async cacheFirst(request: Request): Promise<Response> {
    return (await this.#match(request)) ?? this.#fetch(request);
  }

  async put(request: Request, response: Response): Promise<void> {
    try {
      const cache = await caches.open(this.#name);
      await cache.put(request, response);
      const oldest = (await cache.keys()).slice(0, -KEPT);
      await Promise.all(oldest.map((entry) => cache.delete(entry)));
    } catch {
      // No room, or no storage at all: the next visit needs the server again, and nothing else.
    }
  }

  async #match(request: Request): Promise<Response | undefined> {
    try {
      return await caches.match(request, { cacheName: this.#name });
    } catch {
      return undefined;
    }
  }

  async #fetch(request: Request): Promise<Response> {
    const response = await fetch(request);
    if (response.ok) void this.put(request, response.clone());
    return response;
  }
}
