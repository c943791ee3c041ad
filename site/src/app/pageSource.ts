/** Pages over the network: small JSON fragments, and the list of a section once per section. */

import { trustPageHtml } from '../features/page/pageHtml';
import { fragment, sectionNav, siteData } from '../shared/content/decoders';
import { localeOf } from '../shared/content/locales';
import type { Page, PageSource, PageView, SectionNav, SiteData } from '../shared/content/model';
import { type Word, type Words, words } from '../shared/content/words';
import { DecodeError, type Decoder } from '../shared/lib/decode';
import { fragmentFile, hrefOf } from '../shared/lib/paths';
import { PATIENCE_MS } from '../shared/lib/patience';
import { AssetsGoneError } from './AssetsGoneError';
import { OtherBuildError } from './OtherBuildError';
import { RouteLoadError } from './RouteLoadError';
import { retriable } from './retriable';

const loadReferenceStyles = retriable(() => import('../features/api/referenceStyles'));

/** Pages fetched ahead, and those that were read: so many of the newest are kept. */
const KEPT_PAGES = 30;
const NOT_FETCHED =
  'The page could not be fetched. You might want to check your network connection.' satisfies Word;
/** A page of another day may have changed. */
const KEPT_MS = 10 * 60_000;

interface PrefetchingSource extends PageSource {
  /**
   * Fetches the data of a page that may be asked for. Failing is silent: nobody has asked yet. Done when it is there, or cannot be
   * had.
   */
  prefetch(path: string): Promise<void>;
}

/** `known` is the page that is being read. */
export function createPageSource(site: SiteData, known: PageView | null = null): PrefetchingSource {
  const ahead = new Map<string, { page: Promise<Page>; since: number }>();
  const loadNavOnce = once(loadNav);
  const loadWordsOnce = once(loadWords);

  function navOf(page: Page): Promise<SectionNav | null> {
    const section = page.kind === 'doc' ? page.section.id : null;
    if (section !== null && section === known?.nav?.id) return Promise.resolve(known.nav);
    const link = site.sections.find(({ id }) => id === section);
    return link ? loadNavOnce(hrefOf(site.base, link.nav)) : Promise.resolve(null);
  }

  function wordsOf(path: string): Promise<Words | null> {
    const locale = localeOf(site.locales, path);
    if (locale.words === null) return Promise.resolve(null);
    if (known && locale === localeOf(site.locales, known.page.path)) {
      return Promise.resolve(known.words);
    }
    return loadWordsOnce(hrefOf(site.base, locale.words));
  }

  async function fetchPage(path: string, signal: AbortSignal | null): Promise<Page> {
    const url = `${hrefOf(site.base, `/fragments/pages/${fragmentFile(path)}`)}?v=${site.build}`;
    const data = await getJson(url, fragment, signal);
    // It may need another application.
    if (data && data.build !== site.build) throw new OtherBuildError(path);
    const page: Page = data?.page ?? { kind: 'not-found', path, near: null };
    if (page.kind === 'doc') page.html = trustPageHtml(page.html);
    return page;
  }

  function keep(path: string, page: Promise<Page>): void {
    ahead.delete(path);
    ahead.set(path, { page, since: Date.now() });
    const [oldest] = ahead.keys();
    if (ahead.size > KEPT_PAGES && oldest !== undefined) ahead.delete(oldest);
  }

  function fetchedAhead(path: string): Promise<Page> | null {
    const found = ahead.get(path);
    return found && Date.now() - found.since < KEPT_MS ? found.page : null;
  }

  return {
    async load(path, signal) {
      const page = await (fetchedAhead(path) ?? fetchPage(path, signal));
      if (page.kind !== 'not-found') keep(path, Promise.resolve(page));
      // A page that came as HTML names them in its head.
      const styles = page.kind === 'doc' && page.layout !== 'text' ? ofReferences() : null;
      const [nav, said] = await Promise.all([navOf(page), wordsOf(path), styles]);
      return { page, nav, words: said };
    },
    async prefetch(path) {
      if (fetchedAhead(path)) return;
      const page = fetchPage(path, null);
      keep(path, page);
      await page.then(
        (fetched) => {
          if (fetched.kind === 'not-found') ahead.delete(path);
          // Of another section the list is needed too.
          else navOf(fetched).catch(() => {});
        },
        () => {
          ahead.delete(path);
        },
      );
    },
  };
}

async function ofReferences(): Promise<void> {
  try {
    await loadReferenceStyles();
  } catch (cause) {
    throw new AssetsGoneError(NOT_FETCHED, { cause });
  }
}

/** What the pages of this build share. */
export async function loadSite(url: string): Promise<SiteData> {
  const site = await getJson(url, siteData, null);
  if (!site) throw new AssetsGoneError('The description of the site is missing.');
  return site;
}

export async function loadNav(url: string): Promise<SectionNav> {
  const nav = await getJson(url, sectionNav, null);
  if (!nav) throw new AssetsGoneError('The list of the section is missing.');
  return nav;
}

/** The site's words in a language. */
export async function loadWords(url: string): Promise<Words> {
  const found = await getJson(url, words, null);
  if (!found) throw new AssetsGoneError('The words of the site are missing.');
  return found;
}

/**
 * Each file once, as long as it arrives. Not aborted with its navigation: the next page waits for the same.
 */
function once<T>(load: (url: string) => Promise<T>): (url: string) => Promise<T> {
  const files = new Map<string, Promise<T>>();
  return (url) => {
    let file = files.get(url);
    if (!file) {
      file = load(url);
      files.set(url, file);
      file.catch(() => files.delete(url));
    }
    return file;
  };
}

/** Null where the server has no such file. */
async function getJson<T>(
  url: string,
  decoder: Decoder<T>,
  signal: AbortSignal | null,
): Promise<T | null> {
  const abort = new AbortController();
  const cancel = () => abort.abort();
  const timer = setTimeout(cancel, PATIENCE_MS);
  signal?.addEventListener('abort', cancel, { once: true });
  let body: unknown;
  try {
    if (signal?.aborted) cancel();
    const response = await fetch(url, { signal: abort.signal });
    if (response.status === 404) return null;
    if (!response.ok)
      throw new RouteLoadError('The server answered with status {status}.', {
        values: { status: response.status },
      });
    body = await response.json();
  } catch (error) {
    if (error instanceof RouteLoadError || signal?.aborted) throw error;
    throw new RouteLoadError(reasonOf(error, abort.signal.aborted), { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
  try {
    return decoder(body, 'page data');
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new AssetsGoneError(`The page data is of another version: ${error.message}.`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown, isGivenUp: boolean): Word {
  if (isGivenUp) return 'The page took too long to come.';
  return error instanceof SyntaxError
    ? 'The server answered with something that is not page data.'
    : NOT_FETCHED;
}
