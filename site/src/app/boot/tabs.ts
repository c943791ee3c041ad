/**
 * Tabs show one panel at a time. All sets of a group show the same one, here and on the next page;
 * the address names it (`?os=linux`), so that a link leads to what its sender saw.
 */
import { readStored, writeStored } from '../../shared/lib/storage';

const tabKey = (group: string) => `siftwren.tabs.${group}`;

/** Shows what the address asks for, else what was chosen last. */
export function prepareTabs(): void {
  const asked = new URLSearchParams(location.search);
  for (const set of document.querySelectorAll<HTMLElement>('.tabs[data-group]')) {
    const group = set.dataset.group ?? '';
    show(set, asked.get(group)) || show(set, readStored(tabKey(group)));
  }
}

/** Chooses the tab that was pressed, or that an arrow key leads to. Returns whether it was one. */
export function chooseTab(event: Event): boolean {
  const pressed = (event.target as Element).closest<HTMLElement>('[role=tab]');
  const set = pressed?.closest<HTMLElement>('.tabs');
  if (!pressed || !set) return false;
  const tab = 'key' in event ? neighbour(pressed, String(event.key)) : pressed;
  if (!tab) return false;
  if (tab !== pressed) event.preventDefault();
  const name = tab.dataset.tab ?? '';
  const { group } = set.dataset;
  if (group === undefined) show(set, name);
  else chooseEverywhere(tab, group, name);
  tab.focus({ preventScroll: true });
  return true;
}

function chooseEverywhere(tab: HTMLElement, group: string, name: string): void {
  const before = tab.getBoundingClientRect().top;
  for (const set of document.querySelectorAll<HTMLElement>('.tabs')) {
    if (set.dataset.group === group) show(set, name);
  }
  writeStored(tabKey(group), name);
  const url = new URL(location.href);
  url.searchParams.set(group, name);
  history.replaceState(history.state, '', url);
  // Sets above this one may have changed their height: what was pressed stays under the hand.
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
}

/** Returns false, and changes nothing, where the set has no such tab. */
function show(set: HTMLElement, name: string | null): boolean {
  const tabs = [...set.querySelectorAll<HTMLElement>(':scope > [role=tablist] > [role=tab]')];
  if (!tabs.some((tab) => tab.dataset.tab === name)) return false;
  for (const tab of tabs) {
    const isShown = tab.dataset.tab === name;
    tab.setAttribute('aria-selected', String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
    document
      .getElementById(tab.getAttribute('aria-controls') ?? '')
      ?.toggleAttribute('data-off', !isShown);
  }
  set.dataset.ready = '';
  return true;
}

function neighbour(tab: HTMLElement, key: string): HTMLElement | null {
  const tabs = [...(tab.parentElement?.children ?? [])] as HTMLElement[];
  const at = tabs.indexOf(tab);
  const to = {
    ArrowRight: (at + 1) % tabs.length,
    ArrowLeft: (at - 1 + tabs.length) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  }[key];
  return to === undefined ? null : (tabs[to] ?? null);
}
