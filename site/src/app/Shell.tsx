import { memo, useMemo, useRef, useState } from 'react';
import { Outlet, useLocation, useMatches, useNavigation } from 'react-router';
import { Announcement } from '../features/announcement/Announcement';
import { DrawerHeader } from '../features/drawer/DrawerHeader';
import { SiteFooter } from '../features/footer/SiteFooter';
import { Navbar, NavbarMenu } from '../features/navbar/Navbar';
import { SearchButton } from '../features/navbar/SearchButton';
import { OfflineState } from '../features/offline/OfflineState';
import { Sidebar } from '../features/sidebar/Sidebar';
import { ThemeToggle } from '../features/theme/ThemeToggle';
import { inLanguage, localeOf } from '../shared/content/locales';
import type { PageView, SectionNav, Translation } from '../shared/content/model';
import { SayContext, SiteContext, useSay, useSite } from '../shared/content/SiteContext';
import { sayIn } from '../shared/content/words';
import { canonicalPath } from '../shared/lib/paths';
import { ProgressBar } from '../shared/ui/ProgressBar';
import type { Arrived } from './arrived';
import menu from './DrawerMenu.module.css';
import { KeepPlace } from './KeepPlace';
import { SearchPlace } from './SearchPlace';
import styles from './Shell.module.css';

/** What surrounds every page. Its ids begin with a colon, as those of headings never do. */
export function Shell() {
  const site = useSite();
  const view = useMatches().at(-1)?.loaderData as PageView | undefined;
  const { pathname } = useLocation();
  // One that did not load has an address.
  const path = view?.page.path ?? canonicalPath(pathname);
  const locale = localeOf(site.locales, path);
  const own = useMemo(() => inLanguage(site, locale), [site, locale]);
  const current = view && sayIn(view.words, locale.tag);
  const [last, setLast] = useState(() => current ?? sayIn(null, 'en'));
  if (current && current !== last) setLast(() => current);
  // A page that did not load stands where its reader was.
  const [lastNav, setLastNav] = useState(view?.nav ?? null);
  if (view && view.nav !== lastNav) setLastNav(view.nav);
  return (
    <SiteContext value={own}>
      <SayContext value={current ?? last}>
        <Surroundings
          path={path}
          translations={view?.page.kind === 'doc' ? view.page.translations : NONE}
          nav={view ? view.nav : lastNav}
          hasSidebar={view?.page.kind !== 'home'}
        />
      </SayContext>
    </SiteContext>
  );
}

/** One and the same, so that nothing is rendered again. */
const NONE: Translation[] = [];

interface SurroundingsProps {
  path: string;
  translations: Translation[];
  nav: SectionNav | null;
  hasSidebar: boolean;
}

/** Not rendered again when the next page is only on its way: that would delay it by some milliseconds. */
const Surroundings = memo(function Surroundings({
  path,
  translations,
  nav,
  hasSidebar,
}: SurroundingsProps) {
  const site = useSite();
  const say = useSay();
  const arrived: Arrived = useRef(path);
  return (
    <>
      <a href="#:main" className={styles.skip} data-behind-drawer="">
        {say('Skip to content')}
      </a>
      {hasSidebar && (
        <a href="#:menu" className={styles.skip} data-behind-drawer="">
          {say('Skip to the list of pages')}
        </a>
      )}
      {site.announcement && <Announcement announcement={site.announcement} />}
      <Navbar
        path={path}
        translations={translations}
        tools={{
          search: <SearchButton size="bar" />,
          theme: <ThemeToggle className={styles.tool} />,
        }}
      />
      <div className={hasSidebar ? styles.layout : `${styles.layout} ${styles.wide}`}>
        <main id=":main" className={styles.main} data-behind-drawer="">
          <Outlet context={arrived} />
        </main>
        <div id=":menu" className={styles.menu}>
          <DrawerHeader />
          <nav className={`${styles.links} ${menu.links}`} aria-label={say('Main, in the menu')}>
            <NavbarMenu path={path} translations={translations} />
          </nav>
          <Sidebar nav={nav} path={path} />
        </div>
      </div>
      <SiteFooter path={path}>
        <OfflineState />
      </SiteFooter>
      <SearchPlace path={path} />
      <KeepPlace />
      {/* Last: for what comes before something else, browsers compute the styles of the whole page again. */}
      <Progress />
    </>
  );
});

function Progress() {
  const label = useSay()('Loading the page');
  return useNavigation().state === 'loading' ? <ProgressBar label={label} /> : null;
}
