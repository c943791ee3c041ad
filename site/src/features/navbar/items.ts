/** What the configured items of the bar mean on a page. */
import type { NavbarItem, SiteData } from '../../shared/content/model';

export type Destined = Extract<NavbarItem, { type: 'link' | 'doc' | 'sidebar' }>;

/** Search and colour mode are there on every site, and the languages where there are several; the configuration only says where. */
export function withTools({ navbar: items, locales }: Pick<SiteData, 'navbar' | 'locales'>) {
  const types = locales.length > 1 ? TOOLS : TOOLS.slice(1);
  const tools = types.filter((type) => !items.some((item) => item.type === type));
  return [...items, ...tools.map((type) => ({ type, position: 'right' as const }))];
}

const TOOLS = ['language', 'search', 'theme'] as const;

/** Of the items whose path contains the page, the one with the longest. */
export function mostSpecific(items: NavbarItem[], path: string): NavbarItem | null {
  let best: { item: NavbarItem; length: number } | null = null;
  for (const item of items.flatMap((each) => (each.type === 'dropdown' ? each.items : each))) {
    if (!('to' in item) || item.to === null) continue;
    const contains = item.to === '/' || path === item.to || path.startsWith(`${item.to}/`);
    if (contains && item.to.length > (best?.length ?? -1)) best = { item, length: item.to.length };
  }
  return best?.item ?? null;
}

/** Where an item leads. An item whose page or sidebar is not there is a mistake of the configuration. */
export function hrefOfItem(item: Destined, href: (path: string) => string): string {
  if (item.type === 'link') return 'href' in item ? item.href : href(item.to);
  if (item.to !== null) return href(item.to);
  const missing =
    item.type === 'doc' ? `the doc id "${item.doc}"` : `the sidebar "${item.sidebar}"`;
  throw new Error(`The navbar item "${item.label}" names ${missing}, which does not exist.`);
}

/** Whether there is anything to choose from that the item could show. */
export function isShown(item: NavbarItem, site: SiteData): boolean {
  return (
    (item.type !== 'search' || site.search !== null) &&
    (item.type !== 'version' || site.docsVersion !== null)
  );
}
