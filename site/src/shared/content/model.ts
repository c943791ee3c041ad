/** What a page, a section and the site are made of, as the components see them. */
import type { Words } from './words';

export interface PageLink {
  path: string;
  title: string;
}

export interface TocEntry {
  id: string;
  title: string;
  level: 2 | 3 | 4;
}

/** A language of the site. */
export interface Locale {
  /** As HTML names it, such as `pt-BR`. */
  tag: string;
  /** What readers choose; null: what the language calls itself. */
  label: string | null;
  /** What the addresses of its pages begin with, in the first language before the folders of the others. */
  root: string;
  /** The path of its start page. */
  start: string;
  /** The path of the page that lists all of its pages, unless the site has a page of its own there. */
  allPages: string | null;
  /** Address of the site's words in it, relative to the base; null: they are the English ones. */
  words: string | null;
  /** What stands around its pages, where that is not what stands around those of the first language. */
  own: OwnSurroundings | null;
}

/** Null: as in the first language. */
export interface OwnSurroundings {
  title: string | null;
  tagline: string | null;
  navbar: NavbarItem[] | null;
  footer: Footer | null;
  announcement: AnnouncementData | null;
}

/** A page in another language. */
export interface Translation {
  tag: string;
  path: string;
}

export interface DocPage {
  kind: 'doc';
  path: string;
  title: string;
  description: string;
  section: { id: string; title: string };
  /** HTML below the page's H1, made by the indexer at build time. */
  html: string;
  toc: TocEntry[];
  previous: PageLink | null;
  next: PageLink | null;
  editUrl: string | null;
  /** YYYY-MM-DD */
  lastChange: string | null;
  /**
   * Pages of an API reference have styles of their own. `operations` has two columns as well, and
   * therefore no table of contents beside them.
   */
  layout: 'text' | 'reference' | 'operations';
  /** Where the page is in the other languages of the site. */
  translations: Translation[];
}

/** The entrance of the site. What is on it beside the example stands in `SiteData`. */
export interface HomePage {
  kind: 'home';
  path: string;
  example: ExampleAnswer | null;
}

export interface NotFoundPage {
  kind: 'not-found';
  /** That of what stands in for any page where a host gives it, see `isAnywhere`. */
  path: string;
  near: NearPages | null;
}

/** What an address without a page may have meant. */
export interface NearPages {
  /** As it is shown. */
  address: string;
  /** The address as words for the search. */
  query: string;
  /** Best first. */
  pages: PageLink[];
}

/** In place of a page that is not stored while there is no network. */
export interface OfflinePage {
  kind: 'offline';
  path: string;
}

export type Page = DocPage | HomePage | NotFoundPage | OfflinePage;

export interface SidebarItem {
  /** Null for a folder without a page of its own. */
  path: string | null;
  title: string;
  /** Of the title, where it is not that of the list. */
  language?: string;
  items: SidebarItem[];
}

export interface SectionNav {
  id: string;
  items: SidebarItem[];
}

export interface SectionLink {
  id: string;
  title: string;
  /** Null: the first of the site. */
  language: string | null;
  path: string;
  /** Address of the section's `SectionNav`, relative to the base. */
  nav: string;
  /** How many pages the section has. */
  pages: number;
}

export interface Way {
  id: 'start' | 'data' | 'models' | 'quality';
  path: string;
}

/** A query and what the search of this build answers to it. */
export interface ExampleAnswer {
  query: string;
  hits: { path: string; title: string; section: string; score: number }[];
}

/** A link within the site (`to`) or to another one (`href`). */
export type Destination = { label: string; to: string } | { label: string; href: string };

/** Items within the site have a path; null where the page that they name is not there. */
export type NavbarItem = { position: 'left' | 'right' } & (
  | ({ type: 'link' } & Destination)
  | { type: 'doc'; doc: string; label: string; to: string | null }
  | { type: 'sidebar'; sidebar: string; label: string; to: string | null }
  | { type: 'dropdown'; label: string; items: NavbarItem[] }
  | { type: 'language' | 'version' | 'search' | 'theme' }
  | { type: 'unknown'; name: string }
);

/** The one version of the docs. Which version a reader prefers is remembered for each plugin. */
export interface DocsVersion {
  label: string;
  plugin: string;
}

export interface Footer {
  text: string | null;
  links: Destination[];
}

export interface AnnouncementData {
  id: string;
  text: string;
  href: string | null;
}

export type SearchMode = 'live' | 'local' | 'live-with-fallback';

export interface SearchConfig {
  mode: SearchMode;
  apiUrl: string | null;
  model: string | null;
  key: string | null;
  wasmUrl: string;
  siteRoot: string;
  /** The languages beside the first that have an index of their own. The platform knows the first alone. */
  languages: string[];
}

/** `fill_rule`: other than `evenodd`. */
export interface LogoPath {
  d: string;
  transform: string | null;
  fill_rule: 'nonzero' | null;
}

/** A file below the base. */
export interface LogoImage {
  src: string;
  width: number;
  height: number;
}

/** The picture of a site: paths for the page to draw, in the words of SVG, or a file, and another one for the dark theme. */
export type Logo =
  | { view_box: string; paths: LogoPath[] }
  | (LogoImage & { dark: LogoImage | null });

/** The picture of a tab: a file below the base. */
export interface Favicon {
  src: string;
  media_type: string;
}

/**
 * What all pages share. It does not depend on their texts, so a page whose text did not change is the same in the next build,
 * to the last byte.
 */
export interface SiteData {
  /**
   * Names the code, the configuration and the sections that a page was made with. The data of a page carries it: what was
   * made with others is not shown in this page.
   */
  build: string;
  title: string;
  tagline: string | null;
  logo: Logo | null;
  /** The name is not shown beside the logo, and said all the same. */
  isTitleInLogo: boolean;
  base: string;
  homePath: string;
  navbar: NavbarItem[];
  hideNavbarOnScroll: boolean;
  docsVersion: DocsVersion | null;
  /** Languages of the site: the one that it is written in, and those with a folder of their own. */
  locales: Locale[];
  footer: Footer;
  announcement: AnnouncementData | null;
  sections: SectionLink[];
  /** On the start page; empty for a site that has none of the pages they lead to. */
  ways: Way[];
  /** Null when live search is configured without its key. */
  search: SearchConfig | null;
}

/** A page with the list of its section, and the words around it; null: the English ones. */
export interface PageView {
  page: Page;
  nav: SectionNav | null;
  words: Words | null;
}

/** Where pages come from: memory while prerendering, the network in the browser. */
export interface PageSource {
  load(path: string, signal: AbortSignal): Promise<PageView>;
}
