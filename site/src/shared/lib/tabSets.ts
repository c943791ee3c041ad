/** What a set of tabs shows, for the scripts of the page and for those that lead into it. */

/** Shows a tab by its name. Returns false, and changes nothing, where the set has no such tab. */
export function showTab(set: HTMLElement, name: string | null): boolean {
  const tabs = [...set.querySelectorAll<HTMLElement>(':scope > [role=tablist] > [role=tab]')];
  if (!tabs.some((tab) => tab.dataset.tab === name)) return false;
  for (const tab of tabs) {
    const isShown = tab.dataset.tab === name;
    tab.setAttribute('aria-selected', String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
    tab.ownerDocument
      .getElementById(tab.getAttribute('aria-controls') ?? '')
      ?.toggleAttribute('data-off', !isShown);
  }
  set.dataset.ready = '';
  return true;
}

/** All sets of a group, which show the same tab. */
export function setsOf(group: string, document: Document): HTMLElement[] {
  const sets = [...document.querySelectorAll<HTMLElement>('.tabs')];
  return sets.filter((set) => set.dataset.group === group);
}

/** Shows the tabs that an element stands in, so that it can be seen. Nothing is remembered of that. */
export function showTabsAround(element: Element): void {
  for (
    let panel = element.closest<HTMLElement>('.tab');
    panel;
    panel = panel.parentElement?.closest<HTMLElement>('.tab') ?? null
  ) {
    const set = panel.closest<HTMLElement>('.tabs');
    if (!set) return;
    const { group } = set.dataset;
    const sets = group === undefined ? [set] : setsOf(group, element.ownerDocument);
    for (const each of sets) showTab(each, panel.dataset.tab ?? null);
  }
}
