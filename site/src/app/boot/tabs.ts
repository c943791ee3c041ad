/**
 * Tabs show one panel at a time. All sets of a group show the same one, here and on the next page;
 * the address names it (`?os=linux`), so that a link leads to what its sender saw.
 */
import { decoded } from '../../shared/lib/paths';
import { readStored, writeStored } from '../../shared/lib/storage';
import { setsOf, showTab, showTabsAround } from '../../shared/lib/tabSets';

const tabKey = (group: string) => `siftwren.tabs.${group}`;

/** Shows what the address asks for, else what was chosen last. */
export function prepareTabs(): void {
  const asked = new URLSearchParams(location.search);
  for (const set of document.querySelectorAll<HTMLElement>('.tabs[data-group]')) {
    const group = set.dataset.group ?? '';
    showTab(set, asked.get(group)) || showTab(set, readStored(tabKey(group)));
  }
}

/**
 * Shows the tab of the part that the address names. The browser had nothing to scroll to where that
 * was hidden; a reader who has gone on since stays where they are.
 */
export function showAskedPart(): void {
  if (showPartAt(location.hash) && scrollY === 0) scrollToPart();
}

/** The same where the address has just changed. */
export function showNextPart(): void {
  if (showPartAt(location.hash)) scrollToPart();
}

/** Shows the tab of the part that a link of this page leads to, before the browser goes there. */
export function showLinkedPart(link: HTMLAnchorElement | null): void {
  if (link?.pathname === location.pathname) showPartAt(link.hash);
}

function scrollToPart(): void {
  partOf(location.hash)?.scrollIntoView();
}

function partOf(hash: string): HTMLElement | null {
  return hash === '' ? null : document.getElementById(decoded(hash.slice(1)));
}

/** Returns whether there is such a part and it was hidden. */
function showPartAt(hash: string): boolean {
  const part = partOf(hash);
  if (!part || part.getClientRects().length > 0) return false;
  showTabsAround(part);
  return true;
}

/** Chooses the tab that was pressed, or that an arrow key leads to. Returns whether it was one. */
export function chooseTab(event: Event): boolean {
  const pressed = (event.target as Element).closest<HTMLElement>('[role=tab]');
  const set = pressed?.closest<HTMLElement>('.tabs');
  if (!pressed || !set) return false;
  const tab = 'key' in event ? neighbour(pressed, String(event.key)) : pressed;
  if (!tab) return false;
  // The page would scroll, also where the tab is the first or the last already.
  if ('key' in event) event.preventDefault();
  const name = tab.dataset.tab ?? '';
  const { group } = set.dataset;
  if (group === undefined) showTab(set, name);
  else chooseEverywhere(tab, group, name);
  tab.focus({ preventScroll: true });
  return true;
}

function chooseEverywhere(tab: HTMLElement, group: string, name: string): void {
  const before = tab.getBoundingClientRect().top;
  for (const set of setsOf(group, document)) showTab(set, name);
  writeStored(tabKey(group), name);
  const url = new URL(location.href);
  url.searchParams.set(group, name);
  history.replaceState(history.state, '', url);
  // Sets above this one may have changed their height: what was pressed stays under the hand.
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
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
