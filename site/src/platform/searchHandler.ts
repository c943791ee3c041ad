/**
 * What the worker does with a request, apart from being a worker: so that tests can put it behind
 * the client without one.
 */
import type { NumberedRequest, SearchReply, SearchStage } from './searchProtocol';

/** The part of wasm-core that is used. */
export interface SearchCore {
  initSync(input: { module: WebAssembly.Module }): unknown;
  SearchEngine: new (core: Uint8Array) => SearchEngine;
  mapHits(metadata: unknown[], query: string, siteRoot: string, snippetWords: number): unknown;
}

export interface SearchEngine {
  load(name: string, bytes: Uint8Array): void;
  search(query: string, limit: number, snippetWords: number, semantic: boolean): Step;
  alternatives(query: string, semantic: boolean): Step;
  hasVectors(): boolean;
  keepAtMost(bytes: number): void;
  free(): void;
}

/** An answer, or the files that it needs. */
export type Step =
  | { readonly status: 'ready'; readonly more?: readonly string[] }
  | { readonly status: 'needs'; readonly files: readonly string[] };

/** What the engine may keep of the files of an index between two queries. */
const ENGINE_BYTES = 12_000_000;

export function createSearchHandler(core: SearchCore): (request: NumberedRequest) => SearchReply {
  let opened: SearchEngine | null = null;

  function engine(): SearchEngine {
    if (opened === null) {
      throw Object.assign(new Error('no index has been opened'), { code: 'no_index' });
    }
    return opened;
  }

  /** Asks with the meaning, and for a first answer also without it. */
  function inStages(stage: SearchStage, ask: (semantic: boolean) => Step): Step {
    const semantic = engine().hasVectors();
    const found = ask(semantic);
    if (found.status === 'ready' || stage === 'refined' || !semantic) {
      return found;
    }
    const first = ask(false);
    return first.status === 'ready' ? { ...first, more: found.files } : first;
  }

  function answer(request: NumberedRequest): unknown {
    switch (request.kind) {
      case 'start':
        core.initSync({ module: request.module });
        return null;
      case 'open': {
        const next = new core.SearchEngine(new Uint8Array(request.bytes));
        opened?.free();
        opened = next;
        return null;
      }
      case 'load':
        engine().load(request.name, new Uint8Array(request.bytes));
        return null;
      case 'search': {
        const { query, limit, snippetWords, stage } = request;
        const step = inStages(stage, (semantic) =>
          engine().search(query, limit, snippetWords, semantic),
        );
        // Only now: in the midst of a query it would throw out what the query has asked for.
        if (step.status === 'ready') engine().keepAtMost(ENGINE_BYTES);
        return step;
      }
      case 'alternatives':
        return inStages(request.stage, (semantic) =>
          engine().alternatives(request.query, semantic),
        );
      case 'map':
        return core.mapHits(
          [...request.metadata],
          request.query,
          request.siteRoot,
          request.snippetWords,
        );
    }
  }

  return (request) => {
    try {
      return { id: request.id, ok: true, value: answer(request) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // The core names its own errors. Anything else is a trap, a RangeError or a bug in the glue.
      return typeof code === 'string'
        ? { id: request.id, ok: false, code, message, fatal: false }
        : { id: request.id, ok: false, code: 'trap', message, fatal: true };
    }
  };
}
