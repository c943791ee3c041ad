/**
 * Entries of the history that show the page of the entry before, with something over it that Back closes: the menu or the search
 * of narrow screens. Where such an entry is left in another way, nothing is over the page.
 */

export function isOver(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'over' in state;
}

export function pushOver(history: History): void {
  history.pushState({ ...(history.state as object | null), over: true }, '');
}

/** Goes back from such an entry, if it is one. The browser does so later, and until then `isLeavingOver`. */
export function leaveOver(window: Window): void {
  const { document, history } = window;
  if (!isOver(history.state)) return;
  const { dataset } = document.documentElement;
  dataset.leaving = '';
  const arrive = () => {
    delete dataset.leaving;
  };
  window.addEventListener('popstate', arrive, { once: true });
  history.back();
}

/** The scripts of a page share no variables: its element says it. */
export function isLeavingOver(document: Document): boolean {
  return document.documentElement.dataset.leaving !== undefined;
}
