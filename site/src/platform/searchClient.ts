/**
 * The one way to wasm-core: fetches the module and the files of the index, runs them in a worker and
 * answers with typed outcomes.
 *
 * - An index is a small core and many files beside it. The engine says which of them a query needs.
 * - A first answer comes from the words alone. Where the meaning of the query could make a better one
 *   and its files are not there yet, `refine` fetches them and answers again.
 * - The newest query wins: an older one still under way ends as `superseded`.
 * - A trap poisons a WASM instance. After one the worker is ended; the next call gets a new one from
 *   the kept module and files, without the network. The same goes for a worker that hangs or crashes.
 * - A failed download is not remembered: the next call tries again.
 */
import { isRecord, readText } from './decode';
import { describe, EngineError, type EngineFailure } from './engineError';
import { type Alternatives, decodeAlternatives, decodeHits, type Hit } from './hit';
import { createSearchFiles } from './searchFiles';
import type { PortEvents, SearchPort } from './searchPort';
import type { SearchReply, SearchRequest, SearchStage } from './searchProtocol';

export interface SearchClientOptions {
  readonly wasmUrl: string;
  /** The file that names the core of the newest index. */
  readonly indexName: string;
  /** The language of the index, where that is not the first of the site. */
  readonly language: string | null;
  /** Where the files of indexes are. */
  readonly indexFolder: string;
  readonly siteRoot: string;
  /** Results per search. */
  readonly limit: number;
  /** Proposals of one kind where a search found nothing. */
  readonly proposals: number;
  /** After this long a download is given up. */
  readonly loadTimeoutMs: number;
  /** After this long without a reply the worker is taken for hung. */
  readonly replyTimeoutMs: number;
  /** Files for a better answer are fetched when no newer query has come for this long. */
  readonly refineAfterMs: number;
  /** After they could not be fetched, they are not asked for again for this long. */
  readonly cooldownMs: number;
  /** How many bytes of the index are kept for a new worker. */
  readonly keepBytes: number;
  /** Whether the connection allows more bytes than the first answer needs. */
  readonly mayRefine: () => boolean;
  readonly fetch: typeof globalThis.fetch;
  readonly startWorker: (events: PortEvents) => SearchPort;
  /** For whoever looks into the console. */
  readonly report: (news: string) => void;
}

export type EngineOutcome =
  | {
      readonly status: 'answered';
      readonly hits: Hit[];
      /** Whether `refine` may give a better answer. */
      readonly isRefinable: boolean;
    }
  | { readonly status: 'superseded' }
  | { readonly status: 'failed'; readonly reason: EngineFailure; readonly detail: string };

export interface SearchClient {
  /** Ranks in the browser. */
  search(query: string, snippetWords: number): Promise<EngineOutcome>;
  /** The better answer to the query that was searched for last. */
  refine(query: string, snippetWords: number): Promise<EngineOutcome>;
  /** Null where the engine cannot say. */
  alternatives(query: string): Promise<Alternatives | null>;
  /** Turns a live answer into hits; needs the module but no index. */
  mapHits(
    metadata: readonly unknown[],
    query: string,
    snippetWords: number,
  ): Promise<EngineOutcome>;
  /** Fetches and starts what is needed for mapping, or for ranking too, before it is asked for. */
  warm(what: 'mapping' | 'ranking'): Promise<EngineOutcome>;
}

/** What an index calls its files; nothing else becomes part of an address. */
const FILE_NAME = /^\w+\.[0-9a-f]{8}\.bin$/;
/** Words, then names and texts, then meaning: an engine that asks more often does not come to an end. */
const MAX_ROUNDS = 12;

const SUPERSEDED = { status: 'superseded' } as const;

export function createSearchClient(options: SearchClientOptions): SearchClient {
  /** The core of the index in use, once it is known. */
  let indexUrl: string | null = null;
  const files = createSearchFiles({ ...options, mustKeep: (url) => url === indexUrl });
  let module: Promise<WebAssembly.Module> | null = null;
  let engine: Engine | null = null;
  let newest = 0;
  let running: Promise<unknown> = Promise.resolve();
  let refinesFrom = 0;

  function compiled(): Promise<WebAssembly.Module> {
    module ??= files.use(options.wasmUrl, compile).catch((error: unknown) => {
      module = null;
      throw error;
    });
    return module;
  }

  async function started(): Promise<Engine> {
    const code = await compiled();
    if (engine === null || engine.ended()) {
      engine = startEngine(options, code);
    }
    const current = engine;
    await current.started;
    return current;
  }

  /** An engine with the index; the two are fetched side by side. */
  async function opened(): Promise<Engine> {
    const start = started();
    const url = await core();
    await Promise.all([start, files.use(url, async () => {})]);
    const current = await start;
    await current.open(url, () => files.use(url, (bytes) => current.give({ kind: 'open', bytes })));
    return current;
  }

  /** The address of the index in use. */
  async function core(): Promise<string> {
    if (indexUrl !== null) {
      return indexUrl;
    }
    const named = await files.use(options.indexName, async (bytes) => {
      const url = coreIn(new TextDecoder().decode(bytes));
      if (url === null) {
        throw new EngineError('index', `${options.indexName} names no index`);
      }
      return url;
    });
    // Meanwhile another call may have found a newer one.
    indexUrl ??= named;
    return indexUrl;
  }

  function indexIn({ index, languages }: Record<string, unknown>): unknown {
    if (options.language === null) return index;
    return isRecord(languages) ? languages[options.language] : null;
  }

  /** Null where the text names none of ours. */
  function coreIn(text: string): string | null {
    const { indexFolder } = options;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return null;
    }
    const url = isRecord(value) ? readText(indexIn(value), 500) : null;
    const isOurs = url?.startsWith(indexFolder) && FILE_NAME.test(url.slice(indexFolder.length));
    return isOurs ? url : null;
  }

  /** Asks until the engine has all files that its answer needs; null where a newer query came. */
  async function answerTo(turn: number, request: SearchRequest): Promise<unknown> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const current = await opened();
      // One query in the worker at a time; of those that wait here only the newest goes on.
      await running;
      if (turn !== newest) {
        return null;
      }
      const reply = current.call(request);
      running = reply.catch(() => {});
      const value = await reply;
      if (turn !== newest) {
        return null;
      }
      const names = neededFiles(value);
      if (names === null) {
        return value;
      }
      const { indexFolder } = options;
      await Promise.all(
        names.map((name) =>
          files.use(indexFolder + name, (bytes) => current.give({ kind: 'load', name, bytes })),
        ),
      );
    }
    throw new EngineError('index', 'it asks for ever more files');
  }

  /** After an update of the site the files of its old index may be gone: then with the new one, once. */
  async function upToDate<T>(work: () => Promise<T>): Promise<T> {
    // Fetched beside the name of the index; its failure is that of `work`.
    started().catch(() => {});
    const tried = await core();
    try {
      return await work();
    } catch (error) {
      if (error instanceof EngineError && (error.reason === 'http' || error.reason === 'index')) {
        await takeNewestIndex();
      }
      // Another call may have found the new one first.
      if (indexUrl === tried) {
        throw error;
      }
      return work();
    }
  }

  async function takeNewestIndex(): Promise<void> {
    const { fetch, report } = options;
    try {
      const response = await fetch(options.indexName, { cache: 'no-store' });
      const url = response.ok ? coreIn(await response.text()) : null;
      if (url !== null && url !== indexUrl) {
        indexUrl = url;
        report(`the search index was replaced by ${url}`);
      }
    } catch {
      // Whoever asked is told why the index itself could not be had.
    }
  }

  function rank(query: string, snippetWords: number, stage: SearchStage): Promise<EngineOutcome> {
    const turn = newest;
    const { limit } = options;
    const request = { kind: 'search', query, limit, snippetWords, stage } as const;
    return settle(
      upToDate(() => answerTo(turn, request)).then((value) =>
        isRecord(value)
          ? {
              status: 'answered',
              hits: decodeHits(value.hits, limit),
              isRefinable:
                Array.isArray(value.more) && Date.now() >= refinesFrom && options.mayRefine(),
            }
          : SUPERSEDED,
      ),
    );
  }

  return {
    search(query, snippetWords) {
      newest += 1;
      return rank(query, snippetWords, 'first');
    },
    async refine(query, snippetWords) {
      const turn = newest;
      await new Promise((resolve) => setTimeout(resolve, options.refineAfterMs));
      if (turn !== newest) {
        return SUPERSEDED;
      }
      const outcome = await rank(query, snippetWords, 'refined');
      if (outcome.status === 'failed') {
        refinesFrom = Date.now() + options.cooldownMs;
      }
      return outcome;
    },
    async alternatives(query) {
      const turn = newest;
      const stages = options.mayRefine() ? (['refined', 'first'] as const) : (['first'] as const);
      for (const stage of stages) {
        try {
          const value = await upToDate(() =>
            answerTo(turn, { kind: 'alternatives', query, stage }),
          );
          return isRecord(value) ? decodeAlternatives(value, options.proposals) : null;
        } catch {
          // The words alone may still have something to propose.
        }
      }
      return null;
    },
    mapHits(metadata, query, snippetWords) {
      const { siteRoot } = options;
      return settle(
        started().then(async (current) => {
          const value = await current.call({
            kind: 'map',
            metadata,
            query,
            siteRoot,
            snippetWords,
          });
          return answered(decodeHits(value, options.limit));
        }),
      );
    },
    warm(what) {
      const ready: Promise<unknown> = what === 'ranking' ? upToDate(opened) : started();
      return settle(ready.then(() => answered([])));
    },
  };
}

/** One worker and its requests under way. */
interface Engine {
  readonly started: Promise<unknown>;
  /** Opens the index of that address, once. */
  open(url: string, give: () => Promise<unknown>): Promise<unknown>;
  call(request: SearchRequest): Promise<unknown>;
  /** A call that hands over a file: what is refused is damaged. */
  give(request: SearchRequest): Promise<unknown>;
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
  let openedUrl: string | null = null;
  let opening: Promise<unknown> = Promise.resolve();

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
    open(url, give) {
      if (url !== openedUrl) {
        openedUrl = url;
        opening = give().catch((error: unknown) => {
          openedUrl = null;
          throw error;
        });
      }
      return opening;
    },
    call,
    give: (request) =>
      call(request).catch((error: unknown) => {
        throw error instanceof EngineError && error.reason === 'refused'
          ? new EngineError('index', error.message)
          : error;
      }),
    ended: () => over,
  };
}

async function compile(bytes: ArrayBuffer): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new EngineError('module', describe(error));
  }
}

/** The files that an answer still needs; null where it is complete. */
function neededFiles(value: unknown): string[] | null {
  if (!isRecord(value) || value.status !== 'needs' || !Array.isArray(value.files)) {
    return null;
  }
  return value.files.map((name: unknown) => {
    if (typeof name !== 'string' || !FILE_NAME.test(name)) {
      throw new EngineError('index', `the index asks for ${JSON.stringify(name)}`);
    }
    return name;
  });
}

function answered(hits: Hit[]): EngineOutcome {
  return { status: 'answered', hits, isRefinable: false };
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
