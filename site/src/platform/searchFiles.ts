/**
 * The files of the search, each fetched once. Their bytes stay here, within a bound, so that a new
 * engine gets them without the network.
 */
import { describe, EngineError } from './engineError';

interface SearchFilesOptions {
  /** After this long a file is given up. */
  readonly loadTimeoutMs: number;
  /** How many bytes of files are kept. */
  readonly keepBytes: number;
  /** Whether a file is kept whatever else there is. */
  readonly mustKeep: (url: string) => boolean;
  readonly fetch: typeof globalThis.fetch;
}

interface SearchFiles {
  /**
   * Fetches a file and uses it. Where it does not come, or `use` finds it damaged, it is fetched
   * anew past all caches, once.
   */
  use<T>(url: string, use: (bytes: ArrayBuffer) => Promise<T>): Promise<T>;
}

export function createSearchFiles(options: SearchFilesOptions): SearchFiles {
  /** The longest unused first. */
  const kept = new Map<string, ArrayBuffer>();
  const underWay = new Map<string, Promise<ArrayBuffer>>();

  function keep(url: string, bytes: ArrayBuffer): ArrayBuffer {
    kept.delete(url);
    kept.set(url, bytes);
    let sum = 0;
    for (const [one, { byteLength }] of [...kept].reverse()) {
      sum += byteLength;
      if (sum > options.keepBytes && !options.mustKeep(one)) {
        kept.delete(one);
      }
    }
    return bytes;
  }

  async function download(url: string, init: RequestInit): Promise<ArrayBuffer> {
    // Not `options.fetch(...)`: browsers refuse a fetch that is called on another object.
    const { fetch } = options;
    let response: Response;
    try {
      response = await fetch(url, init);
      if (response.ok) {
        return keep(url, await response.arrayBuffer());
      }
    } catch (error) {
      throw new EngineError('unreachable', `${url}: ${describe(error)}`);
    }
    throw new EngineError('http', `${url}: status ${response.status}`);
  }

  function get(url: string, init: RequestInit): Promise<ArrayBuffer> {
    const bytes = kept.get(url);
    if (bytes !== undefined && init.cache === 'default') {
      return Promise.resolve(keep(url, bytes));
    }
    const key = `${init.cache} ${url}`;
    const shared = underWay.get(key) ?? download(url, init).finally(() => underWay.delete(key));
    underWay.set(key, shared);
    return shared;
  }

  return {
    async use(url, use) {
      const signal = AbortSignal.timeout(options.loadTimeoutMs);
      try {
        return await use(await get(url, { cache: 'default', signal }));
      } catch (error) {
        if (error instanceof EngineError && error.reason === 'crashed') {
          throw error;
        }
        return use(await get(url, { cache: 'reload', signal }));
      }
    },
  };
}
