/** Pages that the reader of a wrong address may have meant: those whose address or title is like it. */
import { localeOf, sectionsOf } from '../shared/content/locales';
import type {
  NearPages,
  PageLink,
  SectionLink,
  SectionNav,
  SidebarItem,
  SiteData,
} from '../shared/content/model';
import type { Word } from '../shared/content/words';
import { editDistance } from '../shared/lib/editDistance';
import { decoded, hrefOf } from '../shared/lib/paths';

const MOST = 4;
const LONGEST_QUERY = 64;
/** Words that are less alike than this do not count as the same word, mistyped. */
const ALIKE = 0.6;
/** A page is near when this share of the address is found in it. */
const NEAR = 0.5;
/** Of how many sections the pages are looked at, on a site that has more. */
const MOST_SECTIONS = 12;
/** What the page is called that stands for its folder. */
const OVERVIEW = /^(overview|index|introduction|intro|readme|home|about)$/;
const NO_WORD = /[^\p{L}\p{N}]+/gu;

/** The words of an address in order; the ending of a file is not among them. */
export function wordsOf(path: string): string[] {
  return partsOf(path).flatMap((part) => part.split(NO_WORD).filter((word) => word !== ''));
}

/** A page, and the titles of what it stands in, the section first. */
interface PlacedPage extends PageLink {
  above: readonly string[];
}

interface Candidate extends PageLink {
  /** Its section begins with it. */
  isFirst?: boolean;
}

/** The pages in or below the items; an item that leads into a page is none. */
export function pagesOf(
  items: readonly SidebarItem[],
  above: readonly string[] = [],
): PlacedPage[] {
  return items.flatMap(({ path, title, items: below }) => [
    ...(path === null || path.includes('#') ? [] : [{ path, title, above }]),
    ...pagesOf(below, [...above, title]),
  ]);
}

/** Best first. `common` are the words that every address of the site begins with. */
export function nearPages<T extends Candidate>(
  path: string,
  pages: readonly T[],
  common = '',
): T[] {
  const forms = [wordsOf, joinedParts].map((split) => {
    const prefix = split(common);
    const own = (address: string) => {
      const words = split(address);
      return prefix.every((word, index) => words[index] === word)
        ? words.slice(prefix.length)
        : words;
    };
    return { own, wanted: own(path) };
  });
  const folder = namesOf(path);
  return pages
    .map((page) => {
      const title = wordsOf(page.title);
      const likenesses = forms.map(({ own, wanted }) =>
        wanted.length === 0 ? 0 : likeness(wanted, own(page.path), title),
      );
      const names = namesOf(page.path);
      const standing = OVERVIEW.test(names.at(-1) ?? '') ? 2 : Number(page.isFirst ?? false);
      const isBelow = folder.every((name, index) => names[index] === name);
      return {
        page,
        likeness: Math.max(...likenesses),
        standing,
        isAnswer: isBelow && standing > 0,
      };
    })
    .filter((candidate) => candidate.likeness >= NEAR)
    .sort(
      (one, other) =>
        // All pages of a folder are alike to its address. Which of them it may have meant is known.
        Number(other.isAnswer) - Number(one.isAnswer) ||
        other.likeness - one.likeness ||
        other.standing - one.standing ||
        compare(one.page.path, other.page.path),
    )
    .slice(0, MOST)
    .map(({ page }) => page);
}

/** What stands above them. */
export function nearQuestion(pages: readonly PageLink[]): Word {
  return pages.length === 1 ? 'Did you mean this page?' : 'Did you mean one of these?';
}

/** What an address of a site may have meant. A list that cannot be loaded is left out. */
export async function findNear(
  address: string,
  site: Pick<SiteData, 'base' | 'homePath' | 'locales' | 'sections'>,
  loadNav: (href: string) => Promise<SectionNav | null>,
): Promise<NearPages> {
  const { base, homePath, locales } = site;
  const sections = sectionsOf(site, address);
  const { root } = localeOf(locales, address);
  const start = root || homePath;
  const common = wordsOf(start);
  const words = wordsOf(address).filter((word) => !common.includes(word));
  const pages = await findNearPages(address, sections, start, ({ nav }) =>
    loadNav(hrefOf(base, nav)),
  );
  return { address, query: words.join(' ').slice(0, LONGEST_QUERY), pages };
}

/** The same, on a site whose pages are in the lists of its sections. */
export async function findNearPages(
  path: string,
  sections: readonly SectionLink[],
  common: string,
  loadNav: (section: SectionLink) => Promise<SectionNav | null>,
): Promise<PageLink[]> {
  const words = wordsOf(path);
  const closest = sections
    .map((section) => ({ section, likeness: best(words, wordsOf(section.title)) }))
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, MOST_SECTIONS);
  const lists = await Promise.allSettled(closest.map(({ section }) => loadNav(section)));
  const pages = lists.flatMap((list, index) =>
    list.status === 'fulfilled' && list.value !== null
      ? pagesOf(list.value.items, [closest[index]?.section.title ?? ''])
      : [],
  );
  const links = sections.map(({ title, path: target }) => ({ title, path: target, above: [] }));
  const byPath = new Map([...pages, ...links].reverse().map((page) => [page.path, page]));
  const firsts = new Set(sections.map((section) => section.path));
  const candidates = [...byPath.values()].map((page) => ({
    ...page,
    isFirst: firsts.has(page.path),
  }));
  return toldApart(nearPages(path, candidates, common));
}

/** Those that are called alike are called with what they stand in. */
function toldApart(pages: readonly PlacedPage[]): PageLink[] {
  return pages.map(({ path, title, above }) => {
    const isAlone = pages.filter((other) => other.title === title).length === 1;
    return { path, title: isAlone ? title : [...above, title].join(' › ') };
  });
}

/** How much of the address is found in the page, and how little else the page's address says. */
function likeness(wanted: string[], address: string[], title: string[]): number {
  const place = [...address, ...title];
  let found = 0;
  let all = 0;
  wanted.forEach((word, index) => {
    const weight = index === wanted.length - 1 ? 2 : 1;
    all += weight;
    found += weight * best([word], place);
  });
  const surplus = address.filter((word) => best([word], wanted) === 0).length;
  return found / all - 0.05 * surplus;
}

/** How alike the two most alike words are; 0 where none are the same word, mistyped. */
function best(words: string[], others: string[]): number {
  let highest = 0;
  for (const word of words) {
    for (const other of others) highest = Math.max(highest, alikeness(word, other));
  }
  return highest < ALIKE ? 0 : highest;
}

function alikeness(one: string, other: string): number {
  if (one === other) return 1;
  const longest = Math.max(one.length, other.length);
  const shortest = Math.min(one.length, other.length);
  if (shortest < 3 || longest > 60) return 0;
  if (one.startsWith(other) || other.startsWith(one)) return Math.max(0.8, shortest / longest);
  return 1 - editDistance(one, other) / longest;
}

/** Each part of an address as one word: some write 'quick-start', some 'quickstart'. */
function joinedParts(path: string): string[] {
  return partsOf(path)
    .map((part) => part.replace(NO_WORD, ''))
    .filter((part) => part !== '');
}

function namesOf(path: string): string[] {
  return partsOf(path).filter((part) => part !== '');
}

function partsOf(path: string): string[] {
  return decoded(path)
    .replace(/(?:\/index)?\.html?$/i, '')
    .toLowerCase()
    .split('/');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
