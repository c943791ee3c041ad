/** What the configured items of the bar mean on a page. */
import type { NavbarItem, SiteData } from '../../shared/content/model';

type Destined = Extract<NavbarItem, { type: 'link' | 'doc' | 'sidebar' }>;

/** Search and colour mode are there on every site, and the languages where there are several; the configuration only says where. */
export function withTools({ navbar: items, locales }: Pick<SiteData, 'navbar' | 'locales'>) {
  const types = locales.length > 1 ? TOOLS : TOOLS.slice(1);
  const tools = types.filter((type) => !items.some((item) => item.type === type));
  return [...items, ...tools.map((type) => ({ type, position: 'right' as const }))];
}

const TOOLS = ['language', 'search', 'theme'] as const;

/** The width of the bar in pixels on the narrowest screens that show its items. */
const ROOM = 900;
/** A logo that says the name, and a name with the rest of a logo; longer ones are cut off. */
const LOGO_WIDTH = 160;
const WIDEST_NAME = 260;
const NAME_LETTER = 1.4;
/** Of what stands around a label, and of a letter. Those of East Asia are wide. */
const AROUND = 30;
const LETTER = 7.6;
const WIDE_LETTER = 14;
const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/g;
/** Beside the label of the search, and the most of both: the rest of the label gives way. */
const AROUND_SEARCH = 52;
const WIDEST_SEARCH = 220;
const THEME_WIDTH = 48;

/** What the texts of the bar are. */
interface BarTexts {
  /** Of the list of links for which there is no room. */
  more: string;
  search: string;
  language: string;
}

/** The items as the bar has room for them: links that are too many, the last ones first, are in a list. How wide a text is drawn is a guess. */
export function fitting(items: NavbarItem[], site: SiteData, texts: BarTexts): NavbarItem[] {
  const { more } = texts;
  const widthOf = (item: NavbarItem) => widthOfItem(item, site, texts);
  const kept = [...items];
  const moved: NavbarItem[] = [];
  let width = kept.reduce((sum, item) => sum + widthOf(item), widthOfName(site));
  while (width > ROOM) {
    const at = leastNeeded(kept);
    const [item] = at === -1 ? [] : kept.splice(at, 1);
    if (item === undefined) break;
    width -= widthOf(item);
    if (moved.length === 0) width += AROUND + textWidth(more);
    const links = item.type === 'dropdown' ? item.items : [item];
    if (item.position === 'left') moved.unshift(...links);
    else moved.push(...links);
  }
  if (moved.length === 0) return kept;
  const list = { type: 'dropdown' as const, position: 'left' as const, label: more, items: moved };
  const own = kept.findIndex((item) => item.type === 'dropdown' && item.label === more);
  const [same] = own === -1 ? [] : kept.splice(own, 1);
  if (same?.type === 'dropdown') list.items = [...same.items, ...moved];
  return [...kept, list];
}

/** Links on the left before lists, and those on the right last. */
function leastNeeded(items: NavbarItem[]): number {
  const last = (position: string, isSuch: (item: NavbarItem) => boolean) =>
    items.findLastIndex((item) => item.position === position && isSuch(item));
  const isList = ({ type }: NavbarItem) => type === 'dropdown';
  const isLink = ({ type }: NavbarItem) => type === 'link' || type === 'doc' || type === 'sidebar';
  const candidates = [last('left', isLink), last('left', isList), last('right', isLink)];
  return candidates.find((at) => at !== -1) ?? -1;
}

function widthOfName({ title, isTitleInLogo }: SiteData): number {
  return isTitleInLogo
    ? LOGO_WIDTH
    : Math.min(AROUND + NAME_LETTER * textWidth(title), WIDEST_NAME);
}

function widthOfItem(item: NavbarItem, { docsVersion }: SiteData, texts: BarTexts): number {
  switch (item.type) {
    case 'search':
      return Math.min(AROUND_SEARCH + textWidth(texts.search), WIDEST_SEARCH);
    case 'theme':
      return THEME_WIDTH;
    case 'language':
      return AROUND + textWidth(texts.language);
    case 'version':
      return AROUND + textWidth(docsVersion?.label ?? '');
    default:
      return AROUND + textWidth('label' in item ? item.label : '');
  }
}

function textWidth(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return wide * WIDE_LETTER + (text.length - wide) * LETTER;
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

/** Whether there is anything to choose from that the item could show. */
export function isShown(item: NavbarItem, site: SiteData): boolean {
  return (
    (item.type !== 'search' || site.search !== null) &&
    (item.type !== 'version' || site.docsVersion !== null)
  );
}
