/**
 * The one way to wasm-core: fetches the module and the index, runs them in a worker and answers
 * with typed outcomes.
 *
 * - The newest query wins: an older one still under way ends as `superseded`.
 * - A trap poisons a WASM instance. After one the worker is ended; the next call gets a new one from
 *   the kept module and index, without the network. The same goes for a worker that hangs or crashes.
 * - A failed download is not remembered: the next call tries again.
 */
import { decodeHits, type Hit } from './hit';
import type { PortEvents, SearchPort } from './searchPort';
import type { SearchReply, SearchRequest } from './searchProtocol';

export interface SearchClientOptions {
  readonly wasmUrl: string;
  readonly indexUrl: string;
  readonly siteRoot: string;
  /** Results per search. */
  readonly limit: number;
  /** After this long a download is given up. */
  readonly loadTimeoutMs: number;
  /** After this long without a reply the worker is taken for hung. */
  readonly replyTimeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly startWorker: (events: PortEvents) => SearchPort;
}

export type EngineFailure =
  /** The file did not arrive. */
  | 'unreachable'
  /** The file's server answered with an error status. */
  | 'http'
  /** The module is no WebAssembly that this browser takes. */
  | 'module'
  /** The index was refused: other version, damaged, not an index. */
  | 'index'
  /** The engine refused the call. */
  | 'refused'
  /** The engine trapped, crashed or hung; a new one answers the next call. */
  | 'crashed';

export type EngineOutcome =
  | { readonly status: 'answered'; readonly hits: Hit[] }
  | { readonly status: 'superseded' }
  | { readonly status: 'failed'; readonly reason: EngineFailure; readonly detail: string };

export interface SearchClient {
  /** Ranks in the browser. */
  search(query: string, snippetWords: number): Promise<EngineOutcome>;
  /** Turns a live answer into hits; needs the module but no index. */
  mapHits(
    metadata: readonly unknown[],
    query: string,
    snippetWords: number,
  ): Promise<EngineOutcome>;
  /** Fetches and starts what is needed for mapping, or for ranking too, before it is asked for. */
  warm(what: 'mapping' | 'ranking'): Promise<EngineOutcome>;
}

class EngineError extends Error {
  readonly reason: EngineFailure;

  constructor(reason: EngineFailure, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export function createSearchClient(options: SearchClientOptions): SearchClient {
  const module = keepUntilFailure(() => fetchModule(options));
  const index = keepUntilFailure(() => fetchIndex(options));
  let engine: Engine | null = null;
  let newest = 0;
  let running: Promise<unknown> = Promise.resolve();

  async function started(): Promise<Engine> {
    const compiled = await module.get();
    if (engine === null || engine.ended()) {
      engine = startEngine(options, compiled);
    }
    const current = engine;
    await current.started;
    return current;
  }

  async function opened(): Promise<Engine> {
    const [current, bytes] = await Promise.all([started(), index.get()]);
    try {
      await current.open(bytes);
    } catch (error) {
      // The bytes may have been damaged on the way: the next call fetches them anew.
      index.forget();
      throw error;
    }
    return current;
  }

  async function rank(turn: number, query: string, snippetWords: number): Promise<EngineOutcome> {
    const current = await opened();
    if (turn !== newest) {
      return { status: 'superseded' };
    }
    const value = await current.call({
      kind: 'search',
      query,
      limit: options.limit,
      snippetWords,
    });
    return { status: 'answered', hits: decodeHits(value, options.limit) };
  }

  return {
    async search(query, snippetWords) {
      newest += 1;
      const turn = newest;
      // One query in the worker at a time; of those that wait here only the newest goes on.
      await running;
      if (turn !== newest) {
        return { status: 'superseded' };
      }
      const outcome = settle(rank(turn, query, snippetWords));
      running = outcome;
      const settled = await outcome;
      return turn === newest ? settled : { status: 'superseded' };
    },
    mapHits(metadata, query, snippetWords) {
      return settle(
        started().then(async (current) => {
          const value = await current.call({
            kind: 'map',
            metadata,
            query,
            siteRoot: options.siteRoot,
            snippetWords,
          });
          return { status: 'answered', hits: decodeHits(value, options.limit) };
        }),
      );
    },
    warm(what) {
      const ready = what === 'ranking' ? opened() : started();
      return settle(ready.then(() => ({ status: 'answered', hits: [] })));
    },
  };
}

/** One worker and its requests under way. */
interface Engine {
  readonly started: Promise<unknown>;
  open(index: ArrayBuffer): Promise<unknown>;
  call(request: SearchRequest): Promise<unknown>;
  ended(): boolean;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: EngineError): void;
  timer: ReturnType<typeof setTimeout>;
}

function startEngine(options: SearchClientOptions, module: WebAssembly.Module): Engine {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let over = false;
  let opening: Promise<unknown> | null = null;

  function end(detail: string): void {
    over = true;
    port.end();
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(new EngineError('crashed', detail));
    }
    waiting.clear();
  }

  function onReply(reply: SearchReply): void {
    const call = waiting.get(reply.id);
    if (call === undefined) {
      return;
    }
    if (reply.ok) {
      clearTimeout(call.timer);
      waiting.delete(reply.id);
      call.resolve(reply.value);
    } else if (reply.fatal) {
      end(reply.message);
    } else {
      clearTimeout(call.timer);
      waiting.delete(reply.id);
      call.reject(new EngineError('refused', `${reply.code}: ${reply.message}`));
    }
  }

  const port = options.startWorker({ onReply, onCrash: end });

  function call(request: SearchRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (over) {
        reject(new EngineError('crashed', 'the search worker has ended'));
        return;
      }
      lastId += 1;
      const timer = setTimeout(
        () => end(`no reply within ${options.replyTimeoutMs} ms`),
        options.replyTimeoutMs,
      );
      waiting.set(lastId, { resolve, reject, timer });
      port.post({ ...request, id: lastId });
    });
  }

  return {
    started: call({ kind: 'start', module }),
    open(index) {
      opening ??= call({ kind: 'open', index }).catch((error: unknown) => {
        opening = null;
        throw error instanceof EngineError && error.reason === 'refused'
          ? new EngineError('index', error.message)
          : error;
      });
      return opening;
    },
    call,
    ended: () => over,
  };
}

/** Remembers what `load` brought; a failure is told to those who wait and then forgotten. */
function keepUntilFailure<T>(load: () => Promise<T>): { get(): Promise<T>; forget(): void } {
  let kept: Promise<T> | null = null;
  return {
    get() {
      if (kept === null) {
        const loading = load();
        kept = loading;
        loading.catch(() => {
          if (kept === loading) {
            kept = null;
          }
        });
      }
      return kept;
    },
    forget() {
      kept = null;
    },
  };
}

async function fetchModule(options: SearchClientOptions): Promise<WebAssembly.Module> {
  const bytes = await download(options, options.wasmUrl);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new EngineError('module', describe(error));
  }
}

function fetchIndex(options: SearchClientOptions): Promise<ArrayBuffer> {
  return download(options, options.indexUrl);
}

async function download(options: SearchClientOptions, url: string): Promise<ArrayBuffer> {
  const { fetch } = options;
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(options.loadTimeoutMs) });
    if (response.ok) {
      return await response.arrayBuffer();
    }
  } catch (error) {
    throw new EngineError('unreachable', `${url}: ${describe(error)}`);
  }
  throw new EngineError('http', `${url}: status ${response.status}`);
}

async function settle(work: Promise<EngineOutcome>): Promise<EngineOutcome> {
  try {
    return await work;
  } catch (error) {
    return error instanceof EngineError
      ? { status: 'failed', reason: error.reason, detail: error.message }
      : { status: 'failed', reason: 'crashed', detail: describe(error) };
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
