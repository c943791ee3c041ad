/**
 * What is not there after this long is given up: the reader can do something about it. What comes later is no answer any more.
 */
export const PATIENCE_MS = 30_000;
