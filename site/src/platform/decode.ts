/**
 * Small readers for values that come from outside: the network, the browser's storage, a worker.
 * Such a value is `unknown` until one of these has looked at it.
 */

/** An object with string keys whose values are still unknown; arrays are not records. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text, cut to `max` UTF-16 units; null for anything that is not text. */
export function readText(value: unknown, max: number): string | null {
  return typeof value === 'string' ? value.slice(0, max) : null;
}
