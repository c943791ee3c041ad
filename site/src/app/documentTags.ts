/** What the head of a page tells programs: search engines, other sites that show a link, and readers of feeds. */
import { attributes } from './documentHtml';

export interface Described {
  /** As `og:type` names it. */
  kind: 'article' | 'website';
  title: string;
  description: string | null;
  siteName: string;
  language: string;
  /** Whole addresses; null where the site does not know where it is published. */
  canonical: string | null;
  image: string | null;
  /** The page in each language, this one included, by whole addresses; empty where it is in one alone. */
  languages: { tag: string; url: string }[];
  /** From the start of the site to the page above this one. */
  above: { name: string; url: string }[];
  /** YYYY-MM-DD */
  lastChange: string | null;
  /** Hrefs of the page as Markdown and of the changes as RSS. */
  markdown: string | null;
  feed: string | null;
}

const CARD_SIZE = { width: 1200, height: 630 } as const;

export function documentTags(page: Described): string[] {
  const tags = [
    alternate('text/markdown', page.markdown, null),
    alternate('application/rss+xml', page.feed, 'Changes'),
  ];
  if (page.canonical === null) return tags;
  return [
    ...tags,
    `<link${attributes({ rel: 'canonical', href: page.canonical })}>`,
    ...page.languages.map(
      ({ tag, url }) => `<link${attributes({ rel: 'alternate', hreflang: tag, href: url })}>`,
    ),
    property('og:type', page.kind),
    property('og:site_name', page.siteName),
    property('og:title', page.title),
    property('og:description', page.description),
    property('og:url', page.canonical),
    property('og:image', page.image),
    ...(page.image === null
      ? []
      : [
          property('og:image:width', String(CARD_SIZE.width)),
          property('og:image:height', String(CARD_SIZE.height)),
          property('og:image:alt', page.title),
          `<meta${attributes({ name: 'twitter:card', content: 'summary_large_image' })}>`,
        ]),
    structuredData(page, page.canonical),
  ];
}

function alternate(type: string, href: string | null, title: string | null): string {
  return href === null ? '' : `<link${attributes({ rel: 'alternate', type, title, href })}>`;
}

function property(name: string, content: string | null): string {
  return content === null ? '' : `<meta${attributes({ property: name, content })}>`;
}

/**
 * JSON-LD. A script of this type is data: nothing runs it, so the content security policy of the
 * site has nothing against it.
 */
function structuredData(page: Described, url: string): string {
  const about =
    page.kind === 'website'
      ? {
          '@type': 'WebSite',
          name: page.siteName,
          url,
          ...(page.description !== null && { description: page.description }),
        }
      : {
          '@type': 'TechArticle',
          headline: page.title,
          ...(page.description !== null && { description: page.description }),
          url,
          inLanguage: page.language,
          ...(page.image !== null && { image: page.image }),
          ...(page.lastChange !== null && { dateModified: page.lastChange }),
        };
  const trail = [...page.above, { name: page.title, url }].map(({ name, url: item }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item,
  }));
  const graph = [
    about,
    ...(page.above.length > 0 ? [{ '@type': 'BreadcrumbList', itemListElement: trail }] : []),
  ];
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  // Whatever a title says, the element ends where we end it.
  return `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>`;
}
