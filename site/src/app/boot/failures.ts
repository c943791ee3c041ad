import type { Word } from '../../shared/content/words';

/**
 * What the boot script says when something cannot be loaded, in English. A page in another language has these words in it: what they
 * come from otherwise may not be had either.
 */
export const FAILURES = {
  menu: 'The menu could not be loaded. Check your connection and try again.',
  search: 'Search could not be loaded. Check your connection and try again.',
  console: 'The console could not be loaded. Check your connection and try again.',
  close: 'Close',
} satisfies Record<string, Word>;

export type Failures = Record<keyof typeof FAILURES, string>;
