/** The indexer's output, decoded. The names are the indexer's. */
import {
  array,
  boolean,
  type Decoder,
  nullable,
  number,
  object,
  oneOf,
  record,
  string,
} from '../lib/decode';
import {
  announcement,
  docsVersion,
  footer,
  logo,
  navbarItem,
  ownSurroundings,
  pageLink,
  sidebarItem,
  tocEntry,
} from './decoders';
import type {
  AnnouncementData,
  DocsVersion,
  Favicon,
  Footer,
  Logo,
  NavbarItem,
  OwnSurroundings,
  PageLink,
  SearchMode,
  SidebarItem,
  TocEntry,
} from './model';
import { type Words, words } from './words';

export interface Manifest {
  version: 1;
  site: {
    title: string;
    tagline: string | null;
    url: string | null;
    base: string | null;
    language: string | null;
  };
  logo: Logo | null;
  favicon: Favicon | null;
  content: { route_prefix: string; landing: string | null };
  search: {
    mode: SearchMode;
    api_url: string | null;
    model: string | null;
    /** The core of the index, which is one of `files`. */
    index: string;
    /** The cores of the indexes of other languages, by their tags. */
    languages: Record<string, string> | null;
    /** In the same folder as the core. */
    files: { name: string; bytes: number; kind: string }[];
  };
  navbar: NavbarItem[] | null;
  hide_navbar_on_scroll: boolean | null;
  logo_has_title: boolean | null;
  docs_version: DocsVersion | null;
  locales: ManifestLocale[] | null;
  /** Of languages in which the site's words are not the English ones, by their tags. */
  words: Record<string, Words> | null;
  footer: Footer;
  /** What stands around the pages of other languages, where it is not the same, by their tags. */
  in_languages: Record<string, OwnSurroundings> | null;
  announcement: AnnouncementData | null;
  /** Where page views are counted: an address, or a path of the site's own origin. */
  analytics: { endpoint: string } | null;
  /** The other sites whose images the pages show. */
  image_origins: string[] | null;
  sidebar: {
    id: string;
    title: string;
    /** Null: the first of the site. */
    language: string | null;
    path: string | null;
    items: SidebarItem[];
  }[];
  /** The API references, and where their consoles send requests. */
  api: { route: string; server: string }[] | null;
  pages: ManifestPage[];
  /** The picture of the start page. */
  card: string | null;
  /** Files that stand at the root of the site, as they do below `root/` of the output; the Markdown of pages is with their data. */
  root_files: string[] | null;
  /** Files of the output by their names in it, and what stands for that which each of them holds. */
  digest_names: string[] | null;
  digests: string[] | null;
}

interface ManifestLocale {
  tag: string;
  label: string | null;
  root: string;
  index_page: string | null;
}

export interface ManifestPage {
  path: string;
  section: string;
  data: string;
  /** Its picture and its Markdown, below the base. */
  card: string | null;
  markdown: string | null;
  unlisted: boolean | null;
}

interface PageData {
  path: string;
  title: string;
  description: string | null;
  section: { id: string; title: string };
  html: string;
  toc: TocEntry[];
  previous: PageLink | null;
  next: PageLink | null;
  edit_url: string | null;
  last_change: string | null;
  layout: 'reference' | 'operations' | null;
  /** Null where it is no file of the site. */
  markdown: string | null;
}

export const manifestFields: { [K in keyof Manifest]: Decoder<Manifest[K]> } = {
  version: oneOf(1),
  site: object<Manifest['site']>({
    title: string,
    tagline: nullable(string),
    url: nullable(string),
    base: nullable(string),
    language: nullable(string),
  }),
  logo: nullable(logo),
  favicon: nullable(object<Favicon>({ src: string, media_type: string })),
  content: object<Manifest['content']>({ route_prefix: string, landing: nullable(string) }),
  search: object<Manifest['search']>({
    mode: oneOf('live', 'local', 'live-with-fallback'),
    api_url: nullable(string),
    model: nullable(string),
    index: string,
    languages: nullable(record(string)),
    files: array(
      object<Manifest['search']['files'][number]>({ name: string, bytes: number, kind: string }),
    ),
  }),
  navbar: nullable(array(navbarItem)),
  hide_navbar_on_scroll: nullable(boolean),
  logo_has_title: nullable(boolean),
  docs_version: nullable(docsVersion),
  locales: nullable(
    array(
      object<ManifestLocale>({
        tag: string,
        label: nullable(string),
        root: string,
        index_page: nullable(string),
      }),
    ),
  ),
  words: nullable(record(words)),
  footer,
  in_languages: nullable(record(ownSurroundings)),
  announcement: nullable(announcement),
  analytics: nullable(object<{ endpoint: string }>({ endpoint: string })),
  image_origins: nullable(array(string)),
  sidebar: array(
    object<Manifest['sidebar'][number]>({
      id: string,
      title: string,
      language: nullable(string),
      path: nullable(string),
      items: array(sidebarItem),
    }),
  ),
  api: nullable(
    array(object<{ route: string; server: string }>({ route: string, server: string })),
  ),
  pages: array(
    object<ManifestPage>({
      path: string,
      section: string,
      data: string,
      card: nullable(string),
      markdown: nullable(string),
      unlisted: nullable(boolean),
    }),
  ),
  card: nullable(string),
  root_files: nullable(array(string)),
  digest_names: nullable(array(string)),
  digests: nullable(array(string)),
};

export const manifest: Decoder<Manifest> = object<Manifest>(manifestFields);

export const pageData: Decoder<PageData> = object<PageData>({
  path: string,
  title: string,
  description: nullable(string),
  section: object<PageData['section']>({ id: string, title: string }),
  html: string,
  toc: array(tocEntry),
  previous: nullable(pageLink),
  next: nullable(pageLink),
  edit_url: nullable(string),
  last_change: nullable(string),
  layout: nullable(oneOf('reference', 'operations')),
  markdown: nullable(string),
});
