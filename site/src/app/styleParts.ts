/**
 * Every page carries its styles, and only what it needs of them: the first paint waits for nothing but the page. What
 * a part holds is said in `tools/inlineStyles.mjs`; the others come later, in the same layers.
 */
import { directionOf, localeOf } from '../shared/content/locales';
import type { Page, SiteData } from '../shared/content/model';

export const STYLE_PARTS = [
  'shell',
  'doc',
  'code',
  'tabs',
  'tables',
  'alerts',
  'asides',
  'matrices',
  'diagrams',
  'themes',
  'languages',
  'reference',
  'home',
  'notice',
] as const;

export type StylePart = (typeof STYLE_PARTS)[number];

/** What the text of a page has where it needs a part. */
const SIGNS = {
  code: /<(code|pre)\b/,
  tabs: /class="tabs"/,
  tables: /<table\b/,
  alerts: /class="alert\b/,
  asides: /<(math|hr|dl|input|details|mark|ins|del|data|kbd)\b|class="(index|footnotes)"/,
  matrices: /<mtable\b|class="math-tag"/,
  diagrams: /class="diagram"/,
  themes: / data-only="/,
};

/** In the order in which they stand in a page of a site with this picture. */
export function partsOf(
  page: Page,
  { logo, locales }: Pick<SiteData, 'logo' | 'locales'>,
): StylePart[] {
  const needed = new Set<StylePart>(['shell', ownPart(page)]);
  if (logo !== null && 'src' in logo && logo.dark) needed.add('themes');
  if (locales.length > 1 || directionOf(localeOf(locales, page.path).tag) !== null) {
    needed.add('languages');
  }
  if (page.kind === 'doc') {
    for (const [part, sign] of Object.entries(SIGNS)) {
      if (sign.test(page.html)) needed.add(part as keyof typeof SIGNS);
    }
    if (page.layout !== 'text') {
      needed.add('reference');
      // Methods and states have the colours of alerts.
      needed.add('alerts');
    }
  }
  return STYLE_PARTS.filter((part) => needed.has(part));
}

function ownPart({ kind }: Page): StylePart {
  return kind === 'doc' || kind === 'home' ? kind : 'notice';
}
