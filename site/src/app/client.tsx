/**
 * The application. The boot script imports this module when the reader is about to use it; the
 * page has been complete without it until then.
 */
import '../styles/layers.css';
import '../styles/tokens.css';
import '../styles/reset.css';
import '../styles/base.css';
import '../styles/prose.css';
import '../styles/code.css';
import '../styles/tabs.css';
import '../styles/tables.css';
import '../styles/alerts.css';
import '../styles/asides.css';
import '../styles/matrices.css';
import '../styles/diagrams.css';
import '../styles/themes.css';
import '../styles/languages.css';
import '../styles/late.css';
import '../styles/print.css';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, redirectDocument } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { trustPageHtml } from '../features/page/pageHtml';
import { readPage } from '../features/page/readPage';
import { isAnywhere, localeOf } from '../shared/content/locales';
import type { PageSource, PageView } from '../shared/content/model';
import { SiteContext } from '../shared/content/SiteContext';
import { connectionOf } from '../shared/lib/connection';
import { basenameOf, pathOf } from '../shared/lib/paths';
import { AssetsGoneError } from './AssetsGoneError';
import type { Settings } from './boot/settings';
import { toggleConsole } from './consoleSlot';
import { createNavigate, NavigateContext, routeLinks } from './navigation';
import { OtherBuildError } from './OtherBuildError';
import { createPageSource, loadNav, loadSite, loadWords } from './pageSource';
import { prefetchPages } from './prefetch';
import { reloadIfReplaced } from './replacedBuild';
import { createRoutes } from './routes';
import { createScrollPlaces, PlacesContext } from './scrollPlaces';
import { openSearch, warmSearch } from './searchSlot';
import { showingAtOnce } from './showingAtOnce';

/** What to search for, and what was pressed since. */
export type SearchWish = [query: string, ...pressed: KeyboardEvent[]];

export interface Application {
  /** `takeWish` answers null when the reader no longer wants to search. */
  openSearch(takeWish: () => SearchWish | null): Promise<void>;
  warmSearch(): Promise<void>;
  /** Opens or closes the console of a button. */
  toggleConsole(button: HTMLElement): Promise<void>;
}

/** Takes over the prerendered page. */
export async function start({
  base = '/',
  site: siteUrl = '',
  nav: navUrl,
  words: wordsUrl,
}: Settings): Promise<Application> {
  const root = document.getElementById(':app');
  if (!root) throw new Error('The page has no element to take over.');
  const [site, nav, words] = await Promise.all([
    loadSite(siteUrl),
    navUrl === undefined ? null : loadNav(navUrl),
    wordsUrl === undefined ? null : loadWords(wordsUrl),
  ]);
  root.dataset.takenOver = '';
  const page = readPage(root, base);
  if (page.kind === 'doc') page.html = trustPageHtml(page.html);
  const view: PageView = { page, nav, words };
  const pages = createPageSource(site, view);
  const source = reloading(pages, siteUrl, () => {
    const { navigation, location } = router.state;
    return new URL(router.createHref(navigation.location ?? location), window.location.href).href;
  });
  const address = pathOf(base, window.location.pathname) ?? '/';
  // Where a host has one page for wrong addresses in all languages.
  let isOfAnother =
    isAnywhere(page.path) && localeOf(site.locales, address) !== localeOf(site.locales, page.path);
  const places = createScrollPlaces(window);
  const router = createBrowserRouter(
    createRoutes(source, base, () => isOfAnother),
    {
      basename: basenameOf(base),
      hydrationData: { loaderData: { page: view } },
    },
  );
  routeLinks(document, router, base, places.leftBy);
  prefetchPages(window, {
    base,
    connection: () => connectionOf(navigator),
    prefetch: pages.prefetch,
  });
  hydrateRoot(
    root,
    <SiteContext value={site}>
      <NavigateContext value={createNavigate(router, window)}>
        <PlacesContext value={places}>
          <RouterProvider router={showingAtOnce(router)} />
        </PlacesContext>
      </NavigateContext>
    </SiteContext>,
    { onRecoverableError: (error) => console.error('The prerendered page did not match.', error) },
  );
  if (isOfAnother) {
    void router.revalidate().finally(() => {
      isOfAnother = false;
    });
  }
  return { openSearch, warmSearch, toggleConsole };
}

/** A page of another build, or of one that is gone, is loaded as a document, which brings all of its build. */
function reloading(source: PageSource, build: string, goingTo: () => string): PageSource {
  return {
    async load(path, signal) {
      try {
        return await source.load(path, signal);
      } catch (error) {
        if (error instanceof OtherBuildError) throw redirectDocument(goingTo());
        if (!(error instanceof AssetsGoneError) || signal.aborted) throw error;
        if (!(await reloadIfReplaced(window, build, goingTo()))) throw error;
        return new Promise(() => {
          // The document goes; until then the progress bar says that the page is on its way.
        });
      }
    },
  };
}
