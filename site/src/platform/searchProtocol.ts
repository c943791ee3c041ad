/** What the search client and its worker say to each other. Every request has one reply with its id. */

/**
 * `first`: the best answer that needs no file beyond those of the words; it names what a better one needs.
 * `refined`: the answer with the meaning of the query, and nothing less.
 */
export type SearchStage = 'first' | 'refined';

export type SearchRequest =
  /** Makes the WASM instance; first thing in a worker's life. */
  | { readonly kind: 'start'; readonly module: WebAssembly.Module }
  /** Opens an index by its core file; the ranking answers from then on. */
  | { readonly kind: 'open'; readonly bytes: ArrayBuffer }
  /** Hands over one more file of the index. */
  | { readonly kind: 'load'; readonly name: string; readonly bytes: ArrayBuffer }
  | {
      readonly kind: 'search';
      readonly query: string;
      readonly limit: number;
      readonly snippetWords: number;
      readonly stage: SearchStage;
    }
  | { readonly kind: 'alternatives'; readonly query: string; readonly stage: SearchStage }
  | {
      readonly kind: 'map';
      readonly metadata: readonly unknown[];
      readonly query: string;
      readonly siteRoot: string;
      readonly snippetWords: number;
    };

export type NumberedRequest = SearchRequest & { readonly id: number };

export type SearchReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | {
      readonly id: number;
      readonly ok: false;
      /** The code that the WASM core gave; 'trap' where it gave none. */
      readonly code: string;
      readonly message: string;
      /** The instance may be broken (a trap, an exhausted memory) and must not be used again. */
      readonly fatal: boolean;
    };
