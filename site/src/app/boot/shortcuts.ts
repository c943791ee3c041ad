/** The keys that open the search. */
import { isComposing } from '../../shared/lib/composing';

/** Ctrl/Cmd+K anywhere; '/' unless the reader is typing. */
export function isSearchShortcut(event: KeyboardEvent): boolean {
  if (isComposing(event) || event.altKey || event.defaultPrevented) return false;
  const command = event.ctrlKey || event.metaKey;
  if (command) return event.key.toLowerCase() === 'k' && !event.shiftKey;
  return event.key === '/' && !isTyping(event.target);
}

export function isTyping(target: EventTarget | null): boolean {
  const element = target as Partial<Element> | null;
  return !!element?.closest?.('input, textarea, select, [contenteditable]');
}
