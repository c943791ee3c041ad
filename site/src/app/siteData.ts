/** From the indexer's manifest to what all pages share: the site as the components see it. */
import { waysInto } from '../features/home/ways';
import { searchProblem } from '../features/search/searchProblem';
import { localeOf } from '../shared/content/locales';
import type { Manifest } from '../shared/content/manifest';
import type { Favicon, Locale, SectionNav, SiteData, Translation } from '../shared/content/model';
import { firstPath } from '../shared/content/sections';
import type { Words } from '../shared/content/words';
import { searchConfig } from './indexFiles';
import { digest, type Output } from './output';
import type { StylePart } from './styleParts';

/** What the bundler has made. */
export interface BundledCode {
  /** Hashed file names below the site's folder. */
  assets: { boot: string; sheet: string; analytics: string; wrongBase: string; wasm: string };
  /** What stands in pages: the script that runs first, that of the page for wrong addresses, and the parts of their styles. */
  inline: { first: string; plainAddress: string; styles: Record<StylePart, string> };
}

/** The site, and what is known of it beside. */
export interface DescribedSite {
  site: SiteData;
  /** Where it is written, below the site's folder. */
  file: string;
  /** By their sections. */
  navs: ReadonlyMap<string, SectionNav>;
  /** By the tags of languages. */
  words: Record<string, Words>;
  icon: Favicon;
  /** Where it will be, as far as anybody knows. */
  url: string | null;
  /** Where page views are counted. */
  endpoint: string | null;
  /** Why there is no search, where there is none. */
  problem: string | null;
}

/** Writes the files that pages share. `paths` are those of all pages. */
export async function describeSite(
  manifest: Manifest,
  paths: ReadonlySet<string>,
  { assets, inline, searchKey }: BundledCode & { searchKey: string | null },
  files: Output,
): Promise<DescribedSite> {
  const base = normalBase(manifest.site.base);
  const homePath = manifest.content.route_prefix || '/';
  const { sections, navs } = await writeSections(manifest, files);
  const locales = localesOf(manifest, paths, sections, homePath);
  const words = manifest.words ?? {};
  await writeWords(locales, words, files);
  const search = await searchConfig(manifest, { base, wasm: assets.wasm, searchKey }, files);
  const problem = searchProblem(search);
  const content = {
    title: manifest.site.title,
    tagline: manifest.site.tagline,
    logo: manifest.logo,
    isTitleInLogo: manifest.logo !== null && (manifest.logo_has_title ?? false),
    base,
    homePath,
    navbar: manifest.navbar ?? [],
    hideNavbarOnScroll: manifest.hide_navbar_on_scroll ?? false,
    docsVersion: manifest.docs_version,
    locales,
    footer: manifest.footer,
    announcement: manifest.announcement,
    sections,
    ways: waysInto(paths, manifest.content.route_prefix),
    search: problem === null ? search : null,
  };
  const site: SiteData = {
    build: digest(JSON.stringify([content, assets, inline])),
    ...content,
  };
  return {
    site,
    file: await files.hashed('assets/site', 'json', JSON.stringify(site)),
    navs,
    words,
    icon: manifest.favicon ?? { src: 'favicon.svg', media_type: 'image/svg+xml' },
    url: manifest.site.url,
    endpoint: manifest.analytics?.endpoint ?? null,
    problem,
  };
}

/** Where a page is in the other languages. */
export function translationsOf(
  path: string,
  locales: readonly Locale[],
  paths: ReadonlySet<string>,
): Translation[] {
  const own = localeOf(locales, path);
  const below = path.slice(own.root.length).replace(/^\/$/, '');
  return locales
    .filter((locale) => locale !== own)
    .map(({ tag, root }) => ({ tag, path: root + below || '/' }))
    .filter((translation) => paths.has(translation.path));
}

/** The sections that lead to a page, each with its list in a file of its own. */
async function writeSections(
  manifest: Manifest,
  files: Output,
): Promise<{ sections: SiteData['sections']; navs: ReadonlyMap<string, SectionNav> }> {
  const listed = new Map<string, number>();
  for (const { section, unlisted } of manifest.pages) {
    if (!unlisted) listed.set(section, (listed.get(section) ?? 0) + 1);
  }
  const navs = new Map<string, SectionNav>();
  const sections: SiteData['sections'] = [];
  for (const { id, title, language, path, items } of manifest.sidebar) {
    const target = path ?? items.map(firstPath).find((found) => found !== null) ?? null;
    if (target === null) continue;
    const nav: SectionNav = { id, items };
    navs.set(id, nav);
    sections.push({
      id,
      title,
      language,
      path: target,
      nav: await files.hashed(`assets/nav-${slug(id)}`, 'json', JSON.stringify(nav)),
      pages: listed.get(id) ?? 0,
    });
  }
  return { sections, navs };
}

/** The words of each language that has its own, which then says where they are. */
async function writeWords(
  locales: readonly Locale[],
  said: Record<string, Words>,
  files: Output,
): Promise<void> {
  for (const locale of locales) {
    const words = said[locale.tag];
    if (!words) continue;
    const stem = `assets/words-${locale.tag.toLowerCase()}`;
    locale.words = await files.hashed(stem, 'json', JSON.stringify(words));
  }
}

/** The languages of the site. A language starts at its root, or where its first section does. */
function localesOf(
  manifest: Manifest,
  paths: ReadonlySet<string>,
  sections: SiteData['sections'],
  homePath: string,
): Locale[] {
  const found = manifest.locales ?? [
    {
      tag: manifest.site.language ?? 'en',
      label: null,
      root: manifest.content.route_prefix,
      index_page: null,
    },
  ];
  return found.map(({ index_page: allPages, ...locale }, number) => {
    const section = sections.find(({ language, path }) =>
      number === 0 ? language === null : language === locale.tag && path.startsWith(locale.root),
    );
    const own = paths.has(locale.root) ? locale.root : section?.path;
    const isAtHome = number === 0 && locale.root === manifest.content.route_prefix;
    return {
      ...locale,
      start: isAtHome ? homePath : (own ?? homePath),
      allPages,
      words: null,
      own: number === 0 ? null : (manifest.in_languages?.[locale.tag] ?? null),
    };
  });
}

function normalBase(base: string | null): string {
  return `/${base ?? ''}/`.replace(/\/{2,}/g, '/');
}

/** Section ids are names of folders; in a file name only the plain characters stay. */
function slug(id: string): string {
  return id.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase() || 'root';
}
