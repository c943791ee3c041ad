import { isTyping } from './shortcuts';

/** Longer than any query that somebody selects on purpose. */
const MOST = 64;

/** What the reader has selected in the page, as a first query; what is in a field is theirs alone. */
export function selectedText(window: Window): string {
  if (isTyping(window.document.activeElement)) return '';
  const text = String(window.getSelection() ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length <= MOST
    ? text
    : text
        .slice(0, MOST + 1)
        .replace(/\S*$/, '')
        .trim();
}
