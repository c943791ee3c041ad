/** Decoders for what the prerender writes and the browser fetches back. */
import {
  array,
  boolean,
  DecodeError,
  type Decoder,
  nullable,
  number,
  object,
  oneOf,
  string,
} from '../lib/decode';
import type {
  AnnouncementData,
  Destination,
  DocPage,
  DocsVersion,
  ExampleAnswer,
  Footer,
  HomePage,
  Locale,
  Logo,
  LogoImage,
  LogoPath,
  NavbarItem,
  OwnSurroundings,
  Page,
  PageLink,
  SearchConfig,
  SectionLink,
  SectionNav,
  SidebarItem,
  SiteData,
  TocEntry,
  Translation,
  Way,
} from './model';
import { tocOf } from './tocOf';

export const pageLink: Decoder<PageLink> = object<PageLink>({ path: string, title: string });

export const tocEntry: Decoder<TocEntry> = object<TocEntry>({
  id: string,
  title: string,
  level: oneOf(2, 3, 4),
});

export const destination: Decoder<Destination> = (value, at) => {
  const link = object<{ label: string; to: string | null; href: string | null }>({
    label: string,
    to: nullable(string),
    href: nullable(string),
  })(value, at);
  if (link.to !== null && link.href === null) return { label: link.label, to: link.to };
  if (link.href !== null && link.to === null) return { label: link.label, href: link.href };
  throw new DecodeError(at, 'either "to" or "href"', value);
};

const position = oneOf('left', 'right');

/** Which types there are is said by the component that shows them; a link needs no type. */
export const navbarItem: Decoder<NavbarItem> = (value, at) => {
  const common = object<{ type: string | null; position: 'left' | 'right' | null }>({
    type: nullable(string),
    position: nullable(position),
  })(value, at);
  const place = { position: common.position ?? 'left' };
  const type = common.type ?? 'link';
  switch (type) {
    case 'link':
      return { ...place, type, ...destination(value, at) };
    case 'doc':
      return { ...place, type, ...docItem(value, at) };
    case 'sidebar':
      return { ...place, type, ...sidebarLink(value, at) };
    case 'dropdown':
      return { ...place, type, ...dropdown(value, at) };
    case 'language':
    case 'version':
    case 'search':
    case 'theme':
      return { ...place, type };
    default:
      return { ...place, type: 'unknown', name: type };
  }
};

const docItem = object<{ doc: string; label: string; to: string | null }>({
  doc: string,
  label: string,
  to: nullable(string),
});

const sidebarLink = object<{ sidebar: string; label: string; to: string | null }>({
  sidebar: string,
  label: string,
  to: nullable(string),
});

const dropdown: Decoder<{ label: string; items: NavbarItem[] }> = (value, at) =>
  object<{ label: string; items: NavbarItem[] }>({ label: string, items: array(navbarItem) })(
    value,
    at,
  );

export const docsVersion: Decoder<DocsVersion> = (value, at) => {
  const { label, plugin } = object<{ label: string; plugin: string | null }>({
    label: string,
    plugin: nullable(string),
  })(value, at);
  return { label, plugin: plugin ?? 'default' };
};

export const footer: Decoder<Footer> = (value, at) => {
  const decoded = object<{ text: string | null; links: Destination[] | null }>({
    text: nullable(string),
    links: nullable(array(destination)),
  })(value ?? {}, at);
  return { text: decoded.text, links: decoded.links ?? [] };
};

export const announcement: Decoder<AnnouncementData> = object<AnnouncementData>({
  id: string,
  text: string,
  href: nullable(string),
});

export const ownSurroundings: Decoder<OwnSurroundings> = object<OwnSurroundings>({
  title: nullable(string),
  tagline: nullable(string),
  navbar: nullable(array(navbarItem)),
  footer: nullable(footer),
  announcement: nullable(announcement),
});

interface SidebarData {
  path: string | null;
  title: string;
  language: string | null;
  items: SidebarItem[] | null;
}

export const sidebarItem: Decoder<SidebarItem> = (value, at) => {
  const { language, items, ...item } = object<SidebarData>({
    path: nullable(string),
    title: string,
    language: nullable(string),
    items: nullable(array(sidebarItem)),
  })(value, at);
  return { ...item, ...(language !== null && { language }), items: items ?? [] };
};

export const sectionNav: Decoder<SectionNav> = object<SectionNav>({
  id: string,
  items: array(sidebarItem),
});

const searchConfig: Decoder<SearchConfig> = object<SearchConfig>({
  mode: oneOf('live', 'local', 'live-with-fallback'),
  apiUrl: nullable(string),
  model: nullable(string),
  key: nullable(string),
  wasmUrl: string,
  siteRoot: string,
  languages: array(string),
});

const drawnLogo = object<Extract<Logo, { paths: unknown }>>({
  view_box: string,
  paths: array(
    object<LogoPath>({
      d: string,
      transform: nullable(string),
      fill_rule: nullable(oneOf('nonzero')),
    }),
  ),
});
const image = { src: string, width: number, height: number };
const imageLogo = object<Extract<Logo, { src: string }>>({
  ...image,
  dark: nullable(object<LogoImage>(image)),
});

export const logo: Decoder<Logo> = (value, path) =>
  typeof value === 'object' && value !== null && 'src' in value
    ? imageLogo(value, path)
    : drawnLogo(value, path);

export const siteData: Decoder<SiteData> = object<SiteData>({
  build: string,
  title: string,
  tagline: nullable(string),
  logo: nullable(logo),
  isTitleInLogo: boolean,
  base: string,
  homePath: string,
  navbar: array(navbarItem),
  hideNavbarOnScroll: boolean,
  docsVersion: nullable(docsVersion),
  locales: array(
    object<Locale>({
      tag: string,
      label: nullable(string),
      root: string,
      start: string,
      allPages: nullable(string),
      words: nullable(string),
      own: nullable(ownSurroundings),
    }),
  ),
  footer,
  announcement: nullable(announcement),
  sections: array(
    object<SectionLink>({
      id: string,
      title: string,
      language: nullable(string),
      path: string,
      nav: string,
      pages: number,
    }),
  ),
  ways: array(object<Way>({ id: oneOf('start', 'data', 'models', 'quality'), path: string })),
  search: nullable(searchConfig),
});

type DocData = Omit<DocPage, 'toc' | 'translations'> & {
  toc: TocEntry[] | null;
  translations: Translation[] | null;
};

const docData = object<DocData>({
  kind: oneOf('doc'),
  path: string,
  title: string,
  description: string,
  section: object<DocPage['section']>({ id: string, title: string }),
  html: string,
  toc: nullable(array(tocEntry)),
  previous: nullable(pageLink),
  next: nullable(pageLink),
  editUrl: nullable(string),
  lastChange: nullable(string),
  layout: oneOf('text', 'reference', 'operations'),
  translations: nullable(array(object<Translation>({ tag: string, path: string }))),
});

const docPage: Decoder<DocPage> = (value, at) => {
  const page = docData(value, at);
  return { ...page, toc: page.toc ?? tocOf(page.html), translations: page.translations ?? [] };
};

const homePage: Decoder<HomePage> = object<HomePage>({
  kind: oneOf('home'),
  path: string,
  example: nullable(
    object<ExampleAnswer>({
      query: string,
      hits: array(
        object<ExampleAnswer['hits'][number]>({
          path: string,
          title: string,
          section: string,
          score: number,
        }),
      ),
    }),
  ),
});

/** A fragment: the data of one page, as client-side navigation fetches it. */
export const fragment: Decoder<{ page: Page; build: string }> = (value, at) => {
  const { kind, build } = object<{ kind: 'doc' | 'home'; build: string }>({
    kind: oneOf('doc', 'home'),
    build: string,
  })(value, at);
  return { page: kind === 'doc' ? docPage(value, at) : homePage(value, at), build };
};
