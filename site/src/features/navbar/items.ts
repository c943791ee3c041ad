/** What the configured items of the bar mean on a page. */
import type { NavbarItem, SiteData } from '../../shared/content/model';

export type Destined = Extract<NavbarItem, { type: 'link' | 'doc' | 'sidebar' }>;

/** Search and colour mode are there on every site; the configuration only says where. */
export function withTools(items: NavbarItem[]): NavbarItem[] {
  const tools = (['search', 'theme'] as const).filter(
    (type) => !items.some((item) => item.type === type),
  );
  return [...items, ...tools.map((type) => ({ type, position: 'right' as const }))];
}

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

/** The name of a language in itself, such as "English". */
export function languageName(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** Whether there is anything to choose from that the item could show. */
export function isShown(item: NavbarItem, site: SiteData): boolean {
  return (
    (item.type !== 'search' || site.search !== null) &&
    (item.type !== 'version' || site.docsVersion !== null)
  );
}
