/** Pages over the network: small JSON fragments, and the list of a section once per section. */
import { fragment, sectionNav, siteData } from '../shared/content/decoders';
import type { Page, PageSource, SectionNav, SiteData } from '../shared/content/model';
import { DecodeError, type Decoder } from '../shared/lib/decode';
import { fragmentFile, hrefOf } from '../shared/lib/paths';
import { trustPageHtml } from '../features/page/pageHtml';
import { AssetsGoneError } from './AssetsGoneError';
import { RouteLoadError } from './RouteLoadError';

/** A page that is not there after this long is given up: the reader can do something about it. */
const PATIENCE_MS = 30_000;

export function createPageSource(site: SiteData): PageSource {
  const navs = new Map<string, Promise<SectionNav | null>>();

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

  return {
    async load(path, signal) {
      const url = `${hrefOf(site.base, `/fragments/pages/${fragmentFile(path)}`)}?v=${site.build}`;
      const page = (await getJson(url, fragment, signal)) ?? { kind: 'not-found', path };
      if (page.kind === 'doc') page.html = trustPageHtml(page.html);
      // A page that came as HTML names them in its head.
      const styles =
        page.kind === 'doc' && page.layout !== 'text'
          ? import('../features/api/referenceStyles')
          : null;
      const [nav] = await Promise.all([navOf(page), styles]);
      return { page, nav };
    },
  };
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
