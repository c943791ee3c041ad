/** Pages over the network: small JSON fragments, and the list of a section once per section. */

import { trustPageHtml } from '../features/page/pageHtml';
import { fragment, sectionNav, siteData } from '../shared/content/decoders';
import type { Page, PageSource, SectionNav, SiteData } from '../shared/content/model';
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
/** A page of another day may have changed. */
const KEPT_MS = 10 * 60_000;

export interface PrefetchingSource extends PageSource {
  /**
   * Fetches the data of a page that may be asked for. Failing is silent: nobody has asked yet. Done when it is there, or cannot be
   * had.
   */
  prefetch(path: string): Promise<void>;
}

/** `known` is the list of the section that is being read. */
export function createPageSource(
  site: SiteData,
  known: SectionNav | null = null,
): PrefetchingSource {
  const ahead = new Map<string, { page: Promise<Page>; since: number }>();
  const navs = new Map<string, Promise<SectionNav>>();
  if (known) navs.set(known.id, Promise.resolve(known));

  function navOf(page: Page): Promise<SectionNav | null> {
    const section = page.kind === 'doc' ? page.section.id : null;
    const link = site.sections.find(({ id }) => id === section);
    if (!link) return Promise.resolve(null);
    let nav = navs.get(link.id);
    if (!nav) {
      // Not aborted with its navigation: the next page of the section waits for the same list.
      nav = loadNav(hrefOf(site.base, link.nav));
      navs.set(link.id, nav);
      nav.catch(() => navs.delete(link.id));
    }
    return nav;
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
      const [nav] = await Promise.all([navOf(page), styles]);
      return { page, nav };
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
    const reason = 'The styles of the page could not be fetched.';
    throw new AssetsGoneError(`${reason} You might want to check your network connection.`, {
      cause,
    });
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
      throw new RouteLoadError(`The server answered with status ${response.status}.`);
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

function reasonOf(error: unknown, isGivenUp: boolean): string {
  if (isGivenUp) return 'The page took too long to come.';
  return error instanceof SyntaxError
    ? 'The server answered with something that is not page data.'
    : 'The page could not be fetched. You might want to check your network connection.';
}
