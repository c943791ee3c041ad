/**
 * What the worker does with a request, apart from being a worker: so that tests can put it behind
 * the client without one.
 */
import type { NumberedRequest, SearchReply } from './searchProtocol';

/** The part of wasm-core that is used. */
export interface SearchCore {
  initSync(input: { module: WebAssembly.Module }): unknown;
  SearchEngine: new (
    index: Uint8Array,
  ) => {
    search(query: string, limit: number, snippetWords: number): unknown;
  };
  mapHits(metadata: unknown[], query: string, siteRoot: string, snippetWords: number): unknown;
}

export function createSearchHandler(core: SearchCore): (request: NumberedRequest) => SearchReply {
  let engine: InstanceType<SearchCore['SearchEngine']> | null = null;

  function answer(request: NumberedRequest): unknown {
    switch (request.kind) {
      case 'start':
        core.initSync({ module: request.module });
        return null;
      case 'open':
        engine = new core.SearchEngine(new Uint8Array(request.index));
        return null;
      case 'search':
        if (engine === null) {
          throw Object.assign(new Error('no index has been opened'), { code: 'no_index' });
        }
        return engine.search(request.query, request.limit, request.snippetWords);
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
