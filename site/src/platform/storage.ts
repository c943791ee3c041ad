/**
 * JSON in the browser's storage. Storage may be blocked, full, or hold what somebody else wrote:
 * each of these is an ordinary outcome here, and the site works without it.
 */
import { readStored, writeStored } from '../shared/lib/storage';

export interface JsonStorage {
  /** What is stored under the key, if `decode` accepts it; null for nothing, nonsense or no storage. */
  read<T>(key: string, decode: (value: unknown) => T | null): T | null;
  /** Returns whether the value was kept. */
  write(key: string, value: unknown): boolean;
}

export const localJsonStorage: JsonStorage = {
  read(key, decode) {
    const text = readStored(key);
    const value = text === null ? undefined : parse(text);
    return value === undefined ? null : decode(value);
  },
  write: (key, value) => writeStored(key, JSON.stringify(value)),
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not written by this site, or cut off while it was: the same as nothing stored.
    return undefined;
  }
}
