/**
 * The application. The boot script imports this module when the reader is about to use it; the
 * page has been complete without it until then.
 */
import '../styles/layers.css';
import '../styles/tokens.css';
import '../styles/reset.css';
import '../styles/base.css';
import '../styles/prose.css';
import '../styles/print.css';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { trustPageHtml } from '../features/page/pageHtml';
import { readPage } from '../features/page/readPage';
import { SiteContext } from '../shared/content/SiteContext';
import { basenameOf } from '../shared/lib/paths';
import { toggleConsole } from './consoleSlot';
import { createNavigate, NavigateContext, routeLinks } from './navigation';
import { createPageSource, loadNav, loadSite } from './pageSource';
import { createRoutes } from './routes';
import { openSearch, warmSearch } from './searchSlot';

export interface StartOptions {
  base: string;
  /** Address of the `SiteData`. */
  site: string;
  /** Address of the current section's `SectionNav`. */
  nav: string | null;
}

export interface Application {
  /** `takeQuery` answers null when the reader no longer wants to search. */
  openSearch(takeQuery: () => string | null): Promise<void>;
  warmSearch(): Promise<void>;
  /** Opens or closes the console of a button. */
  toggleConsole(button: HTMLElement): Promise<void>;
}

/** Takes over the prerendered page. */
export async function start({
  base,
  site: siteUrl,
  nav: navUrl,
}: StartOptions): Promise<Application> {
  const root = document.getElementById('app');
  if (!root) throw new Error('The page has no element to take over.');
  const [site, nav] = await Promise.all([
    loadSite(siteUrl),
    navUrl === null ? null : loadNav(navUrl),
  ]);
  const page = readPage(root, base);
  if (page.kind === 'doc') page.html = trustPageHtml(page.html);
  const router = createBrowserRouter(createRoutes(createPageSource(site), base), {
    basename: basenameOf(base),
    hydrationData: { loaderData: { page: { page, nav } } },
  });
  routeLinks(document, router, base);
  reloadWhenAssetsAreGone();
  hydrateRoot(
    root,
    <SiteContext value={site}>
      <NavigateContext value={createNavigate(router, window)}>
        <RouterProvider router={router} />
      </NavigateContext>
    </SiteContext>,
    { onRecoverableError: (error) => console.error('The prerendered page did not match.', error) },
  );
  return { openSearch, warmSearch, toggleConsole };
}

/**
 * After a new deployment the files of an old page may be gone: reload to get the new page. Once in
 * ten seconds at most, and never where that cannot be remembered, so that it cannot become a loop.
 */
function reloadWhenAssetsAreGone(): void {
  const key = 'siftwren.reloaded';
  window.addEventListener('vite:preloadError', (event) => {
    try {
      if (Date.now() - Number(sessionStorage.getItem(key)) < 10_000) return;
      sessionStorage.setItem(key, String(Date.now()));
    } catch {
      return;
    }
    event.preventDefault();
    location.reload();
  });
}
