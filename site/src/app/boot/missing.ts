/**
 * The page that stands in for those that do not exist: `later.ts` imports this module there, to write into the page
 * what its address may have meant. The application would do the same, at many times the cost.
 */
import { searchLabel } from '../../features/navbar/searchLabel';
import { localeOf } from '../../shared/content/locales';
import type { NearPages } from '../../shared/content/model';
import type { Say } from '../../shared/content/words';
import { hrefOf, pathOf } from '../../shared/lib/paths';
import { findNear, nearQuestion } from '../nearPages';
import { loadNav, loadSite } from '../pageSource';

export interface MissingOptions {
  base: string;
  /** Address of the `SiteData`. */
  site: string;
  say: Say;
  /** Starts the application. */
  takeOver(): void;
}

export async function propose({
  base,
  site: siteUrl,
  say,
  takeOver,
}: MissingOptions): Promise<void> {
  const address = pathOf(base, location.pathname) || '/';
  const site = await loadSite(siteUrl);
  const app = document.getElementById(':app')?.dataset;
  // The host has one page for all languages; the application has the words of each.
  if (localeOf(site.locales, address) !== localeOf(site.locales, app?.path ?? ''))
    return takeOver();
  const near = await findNear(address, site, loadNav);
  // The application finds by itself what was not written when it took the page over.
  if (app?.takenOver === undefined) write(near, base, say);
}

/** As `NotFound` renders it. */
function write({ address, query, pages }: NearPages, base: string, say: Say): void {
  const search = document.querySelector<HTMLElement>('main [data-search]');
  if (search && query !== '') {
    search.dataset.search = query;
    find(search, 'span').textContent = searchLabel(query, say);
  }
  if (pages.length > 0) {
    const list = element('ul');
    for (const { path, title } of pages) {
      const link = element('a', title);
      link.href = hrefOf(base, path);
      const item = element('li');
      item.append(link, ' ', element('span', path));
      list.append(item);
    }
    find(document, 'main [data-near]').append(element('p', say(nearQuestion(pages))), list);
  }
  find(document, 'main [data-missing]').textContent = address;
}

function element<K extends 'a' | 'li' | 'p' | 'span' | 'ul'>(
  name: K,
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function find(parent: ParentNode, selector: string): HTMLElement {
  const found = parent.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
}
