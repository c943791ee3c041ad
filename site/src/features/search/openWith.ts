import { howOf, type SearchStore } from './searchState';

/**
 * Opens the search and does, in order, what was pressed while it was being loaded: what the field would have done. Letters
 * between two other keys are one query, so that what nobody waits for is not searched for.
 */
export function openWith(
  { getState }: SearchStore,
  query: string,
  pressed: readonly KeyboardEvent[],
): void {
  let text = query;
  let isShown = false;
  const show = () => {
    if (isShown) getState().setQuery(text);
    else getState().open(text || undefined);
    isShown = true;
  };
  for (const event of pressed) {
    const { key } = event;
    if (key === 'Backspace') {
      text = [...text].slice(0, -1).join('');
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      show();
      getState().move(key === 'ArrowDown' ? 1 : -1);
    } else if (key !== 'Enter') {
      text += key;
    } else if (!event.repeat) {
      // One that is held down may be the one that asked for the search.
      show();
      getState().confirm(howOf(event));
      if (!getState().isOpen) return;
    }
  }
  show();
}
