/** The languages of a site. Which one a page is in is said by its address. */
import type { Locale, SectionLink, SiteData } from './model';

/** Scripts that are written from right to left, by the languages and the names of scripts that have them. */
const FROM_RIGHT =
  /^(?:ar|arc|ckb|dv|fa|he|ks|ps|sd|ug|ur|yi)(?:-|$)|-(?:adlm|arab|hebr|nkoo|syrc|thaa)(?:-|$)/i;

/** The language of a path: the first of the site, unless the path is below the root of another one. */
export function localeOf<T extends { root: string }>(locales: readonly T[], path: string): T {
  const first = locales[0];
  if (first === undefined) throw new Error('The site has no language.');
  let found: T | null = null;
  for (const locale of locales) {
    const isBelow = path === locale.root || path.startsWith(`${locale.root}/`);
    if (isBelow && locale.root.length > (found?.root.length ?? -1)) found = locale;
  }
  return found ?? first;
}

/** The site as it stands around the pages of a language. */
export function inLanguage(site: SiteData, { own }: Locale): SiteData {
  if (own === null) return site;
  const { title, tagline, navbar, footer, announcement } = own;
  return {
    ...site,
    title: title ?? site.title,
    tagline: tagline ?? site.tagline,
    navbar: navbar ?? site.navbar,
    footer: footer ?? site.footer,
    announcement: announcement ?? site.announcement,
  };
}

/** The path of what stands in for any page of a language; no page has it. */
export function anywhereIn({ root }: Locale): string {
  return `${root}/`;
}

/** Whether a path is that of what stands in for any page; empty: of the first language. */
export function isAnywhere(path: string): boolean {
  return path === '' || (path !== '/' && path.endsWith('/'));
}

/** The sections in the language of a path, or in the first one where it has none. */
export function sectionsOf(
  { locales, sections }: Pick<SiteData, 'locales' | 'sections'>,
  path: string,
): SectionLink[] {
  if (locales.length === 1) return sections;
  const { tag } = localeOf(locales, path);
  const own = sections.filter(({ language }) => language === tag);
  return own.length > 0 ? own : sections.filter(({ language }) => language === null);
}

/** The name of a language in itself, such as "English". */
export function languageName({ tag, label }: Locale): string {
  if (label !== null) return label;
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** As the attribute `dir` has it; null where nothing needs to be said. */
export function directionOf(tag: string): 'rtl' | null {
  return FROM_RIGHT.test(tag) ? 'rtl' : null;
}
