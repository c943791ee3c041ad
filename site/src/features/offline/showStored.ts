import type { Say, Word } from '../../shared/content/words';
import type { StoredState } from './messages';

const TEXTS: Record<StoredState, Word | null> = {
  nothing: null,
  storing: 'Storing for offline reading…',
  stored: 'Available offline',
  visited: 'Visited pages are available offline',
  full: 'No room to store these docs offline',
};

/** Says it in the footer, see `OfflineState`, and on the root element for the styles. */
export function showStored(document: Document, state: StoredState, say: Say): void {
  document.documentElement.dataset.offline = state;
  const place = document.querySelector('[data-offline-state]');
  const text = TEXTS[state];
  if (place) place.textContent = text && say(text);
}
