/** The HTML document around the application. */
import { directionOf } from '../shared/content/locales';
import type { AnnouncementData } from '../shared/content/model';
import { sayIn, type Words } from '../shared/content/words';
import { escapeHtml } from '../shared/lib/escapeHtml';
import { FAILURES, type Failures } from './boot/failures';
import { wrongBaseBanner, wrongBaseLinks } from './wrongBase';

/** What stands in the page itself; the policy of the site names each text by its hash. */
interface Inline {
  /** The script that runs before the first paint. */
  first: string;
  /** The script that leads from an address with `.html` to the plain one, in the page for wrong addresses alone. */
  plainAddress: string;
  styles: string[];
}

interface DocumentParts {
  title: string;
  description: string | null;
  /** What programs are told, see `documentTags.ts`. */
  tags: string[];
  language: string;
  /** The page must not be found by search engines. */
  noIndex: boolean;
  /** The picture of the tab. */
  icon: { href: string; type: string };
  base: string;
  /** The script of every page, and the whole style sheet for readers without scripts. */
  assets: { boot: string; sheet: string };
  inline: Inline;
  /** Addresses of the site's description and of the section's list. */
  site: string;
  nav: string | null;
  /** The words of the site, and their address; null: they are the English ones. */
  words: { said: Words; address: string } | null;
  /** Null: no service worker. */
  worker: string | null;
  announcement: AnnouncementData | null;
  /** The script that counts page views, and where it reports them. */
  analytics: { script: string; endpoint: string } | null;
  hasSearch: boolean;
  searchProblem: string | null;
  page: { kind: string; path: string };
  body: string;
}

export function documentHtml(parts: DocumentParts): string {
  const settings = attributes({
    'data-boot': parts.assets.boot,
    'data-base': parts.base === '/' ? null : parts.base,
    'data-site': parts.site,
    'data-nav': parts.nav,
    'data-words': parts.words?.address ?? null,
    'data-failures': parts.words && failuresIn(parts.words.said, parts.language),
    'data-worker': parts.worker,
    'data-has-search': parts.hasSearch ? '' : null,
    'data-search-problem': parts.searchProblem,
    'data-announcement': parts.announcement?.id ?? null,
  });
  const head = [
    '<meta charset="utf-8">',
    `<title>${escapeHtml(parts.title)}</title>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="dark light">',
    parts.page.kind === 'not-found' ? `<script>${parts.inline.plainAddress}</script>` : '',
    `<script${settings}>${parts.inline.first}</script>`,
    ...parts.inline.styles.map((style) => `<style>${style}</style>`),
    `<noscript><link${attributes({ rel: 'stylesheet', href: parts.assets.sheet })}></noscript>`,
    parts.analytics === null
      ? ''
      : `<script${attributes({ defer: '', src: parts.analytics.script, 'data-endpoint': parts.analytics.endpoint })}></script>`,
    `<link${attributes({ rel: 'icon', ...parts.icon })}>`,
    parts.description === null
      ? ''
      : `<meta${attributes({ name: 'description', content: parts.description })}>`,
    ...parts.tags,
    parts.noIndex ? '<meta name="robots" content="noindex">' : '',
  ];
  const root = attributes({
    id: ':app',
    'data-kind': parts.page.kind,
    'data-path': parts.page.path,
  });
  return `<!doctype html><html${attributes({ lang: parts.language, dir: directionOf(parts.language) })}><head>${head.join('')}</head><body>${wrongBaseBanner(parts.base, parts.page)}<div${root}>${parts.body}</div>${wrongBaseLinks(parts.page)}</body></html>\n`;
}

/** What the boot script says, see `boot/failures.ts`. */
function failuresIn(words: Words, language: string): string {
  const say = sayIn(words, language);
  const failures: Failures = {
    menu: say(FAILURES.menu),
    search: say(FAILURES.search),
    console: say(FAILURES.console),
    close: say(FAILURES.close),
  };
  return JSON.stringify(failures);
}

/** Attributes with the value null are left out. */
export function attributes(values: Record<string, string | null>): string {
  return Object.entries(values)
    .filter((entry): entry is [string, string] => entry[1] !== null)
    .map(([name, value]) => (value === '' ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`))
    .join('');
}
