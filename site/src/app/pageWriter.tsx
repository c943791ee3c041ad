/** Renders pages, and writes each as a document and as the data that navigation fetches. */
import { isDeepStrictEqual } from 'node:util';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { anywhereIn, inLanguage, localeOf } from '../shared/content/locales';
import type { DocPage, HomePage, Page, PageView, SectionLink } from '../shared/content/model';
import { SiteContext } from '../shared/content/SiteContext';
import { tocOf } from '../shared/content/tocOf';
import { sayIn } from '../shared/content/words';
import { basenameOf, fragmentFile, hrefOf, htmlFile } from '../shared/lib/paths';
import { documentHtml } from './documentHtml';
import { documentTags } from './documentTags';
import { documentTitle } from './documentTitle';
import { digest, fileBelow, type Output } from './output';
import { createRoutes } from './routes';
import type { BundledCode, DescribedSite } from './siteData';
import { partsOf } from './styleParts';

interface PageContext extends BundledCode {
  described: DescribedSite;
  /** Of the languages of the site, below its folder. */
  feeds: string[];
  hasServiceWorker: boolean;
  files: Output;
}

/** What belongs to a page and stands in files of its own, below the base. */
export interface Beside {
  card: string | null;
  markdown: string | null;
}

export class PageWriter {
  /** What pages are made from beside their own data; the description of the site names the lists of sections. */
  readonly shared: string;
  readonly #context: PageContext;
  readonly #handler: ReturnType<typeof createStaticHandler>;
  /** The page being rendered; one at a time, so that a large site never lies in memory whole. */
  #current: PageView | null = null;

  constructor(context: PageContext) {
    const { described, feeds, hasServiceWorker } = context;
    const { site, file, icon, url, endpoint, problem } = described;
    this.#context = context;
    this.shared = JSON.stringify([
      file,
      icon,
      site.locales,
      url,
      feeds,
      endpoint,
      problem,
      hasServiceWorker,
    ]);
    this.#handler = createStaticHandler(
      createRoutes({ load: () => Promise.resolve(this.#current as PageView) }, site.base),
      { basename: basenameOf(site.base) },
    );
  }

  /** Stands for all that something is made from. */
  keyOf(madeFrom: unknown): string {
    return digest(`${this.shared}${JSON.stringify(madeFrom)}`);
  }

  /** A page whose data is no file. */
  async writeUnlessTaken(
    page: DocPage | HomePage,
    canonicalPath: string,
    beside: Beside,
  ): Promise<void> {
    const key = this.keyOf([page, canonicalPath, beside]);
    if (this.#context.files.take(pageFiles(page.path), key)) return;
    await this.writePage(page, canonicalPath, beside);
  }

  /** Search engines are not to know a page without a canonical path. */
  async writePage(
    page: DocPage | HomePage,
    canonicalPath: string | null,
    beside: Beside,
  ): Promise<void> {
    const { described, files } = this.#context;
    await files.write(
      fragmentAt(page.path),
      JSON.stringify({ ...fragmentOf(page), build: described.site.build }),
    );
    await this.writeDocument(htmlFile(page.path), page, canonicalPath, beside);
  }

  async writeDocument(
    file: string,
    page: Page,
    canonicalPath: string | null,
    { card, markdown }: Beside = { card: null, markdown: null },
  ): Promise<void> {
    const { described, assets, inline, hasServiceWorker, files } = this.#context;
    const { site, navs, icon, endpoint, problem } = described;
    const { base } = site;
    const nav = page.kind === 'doc' ? (navs.get(page.section.id) ?? null) : null;
    const locale = localeOf(site.locales, page.path);
    const language = locale.tag;
    const words = described.words[language] ?? null;
    const own = inLanguage(site, locale);
    const body = await this.#render({ page, nav, words });
    const link = site.sections.find(({ id }) => id === nav?.id);
    const translations = page.kind === 'doc' ? page.translations : [];
    await files.write(
      file,
      documentHtml({
        title: documentTitle(page, own, sayIn(words, language)),
        description: page.kind === 'doc' ? page.description || null : own.tagline,
        language,
        tags: documentTags({
          kind: page.kind === 'home' ? 'website' : 'article',
          title: page.kind === 'doc' ? page.title : own.title,
          description: page.kind === 'doc' ? page.description || null : own.tagline,
          siteName: own.title,
          language,
          canonical: canonicalPath === null ? null : this.#wholeAddress(canonicalPath),
          image: card === null ? null : this.#wholeAddress(card),
          languages: [{ tag: language, path: page.path }, ...translations]
            .map(({ tag, path }) => ({ tag, url: this.#wholeAddress(path) ?? '' }))
            .filter(({ url }, _, all) => url !== '' && all.length > 1),
          above: this.#above(page.path, link),
          lastChange: page.kind === 'doc' ? page.lastChange : null,
          markdown: markdown === null ? null : hrefOf(base, markdown),
          feed: this.#feedOf(page),
        }),
        noIndex: canonicalPath === null,
        icon: { href: base + icon.src, type: icon.media_type },
        base,
        assets: { boot: base + assets.boot, sheet: base + assets.sheet },
        inline: {
          first: inline.first,
          plainAddress: inline.plainAddress,
          styles: partsOf(page, site).map((part) => inline.styles[part]),
        },
        site: base + described.file,
        nav: link ? base + link.nav : null,
        words:
          words && locale.words !== null ? { said: words, address: base + locale.words } : null,
        worker: hasServiceWorker ? `${base}sw.js` : null,
        announcement: site.announcement,
        analytics: endpoint === null ? null : { script: base + assets.analytics, endpoint },
        hasSearch: site.search !== null,
        searchProblem: problem,
        page,
        body,
      }),
    );
  }

  async #render(view: PageView): Promise<string> {
    const { site } = this.#context.described;
    const { path } = view.page;
    this.#current = view;
    const request = new Request(new URL(hrefOf(site.base, path), 'http://prerender.invalid'));
    const context = await this.#handler.query(request);
    if (context instanceof Response) throw new Error(`${path}: the page is a redirect.`);
    const failure = Object.values(context.errors ?? {})[0];
    if (failure) throw new Error(`${path}: ${String(failure)}`, { cause: failure });
    return renderToString(
      <SiteContext value={site}>
        <StaticRouterProvider
          router={createStaticRouter(this.#handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </SiteContext>,
    );
  }

  /** The feed of a language, which its start names. */
  #feedOf(page: Page): string | null {
    const { described, feeds } = this.#context;
    const { base, locales } = described.site;
    const locale = localeOf(locales, page.path);
    if (page.kind !== 'home' && page.path !== locale.start) return null;
    const file = locale === locales[0] ? 'feed.xml' : fileBelow(anywhereIn(locale), 'feed.xml');
    return feeds.includes(file) ? base + file : null;
  }

  /** The page of a section is not above itself. */
  #above(path: string, section: SectionLink | undefined): { name: string; url: string }[] {
    if (section?.path === path) return [];
    const address = section ? this.#wholeAddress(section.path) : null;
    return section && address !== null ? [{ name: section.title, url: address }] : [];
  }

  /** The address by which other sites know a path. */
  #wholeAddress(path: string): string | null {
    const { site, url } = this.#context.described;
    return url === null ? null : new URL(hrefOf(site.base, path), url).href;
  }
}

/** What a page with data is written to. */
export function pageFiles(path: string): string[] {
  return [fragmentAt(path), htmlFile(path)];
}

function fragmentAt(path: string): string {
  return `fragments/pages/${fragmentFile(path)}`;
}

/** The data of a page, without what its text says anyway. */
function fragmentOf(page: DocPage | HomePage): object {
  if (page.kind !== 'doc') return page;
  const { toc, translations, ...rest } = page;
  return {
    ...rest,
    ...(!isDeepStrictEqual(toc, tocOf(page.html)) && { toc }),
    ...(translations.length > 0 && { translations }),
  };
}
