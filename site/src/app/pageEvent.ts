import type { Words } from '../shared/content/words';

/** Dispatched on the document when the application has rendered another page. */
export const PAGE_EVENT = 'siftwren:page';

export interface PageEventDetail {
  /** The words around it; null: the English ones. */
  words: Words | null;
}
