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

export class EngineError extends Error {
  readonly reason: EngineFailure;

  constructor(reason: EngineFailure, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
