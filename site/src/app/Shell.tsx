import { memo } from 'react';
import { Outlet, ScrollRestoration, useMatches, useNavigation } from 'react-router';
import { Announcement } from '../features/announcement/Announcement';
import { DrawerHeader } from '../features/drawer/DrawerHeader';
import { SiteFooter } from '../features/footer/SiteFooter';
import { Navbar, NavbarMenu } from '../features/navbar/Navbar';
import { SearchButton } from '../features/navbar/SearchButton';
import { OfflineState } from '../features/offline/OfflineState';
import { Sidebar } from '../features/sidebar/Sidebar';
import { ThemeToggle } from '../features/theme/ThemeToggle';
import type { PageView, SectionNav } from '../shared/content/model';
import { useSite } from '../shared/content/SiteContext';
import { ProgressBar } from '../shared/ui/ProgressBar';
import { SearchPlace } from './SearchPlace';
import menu from './DrawerMenu.module.css';
import styles from './Shell.module.css';

/** What surrounds every page. Its ids begin with a colon, as those of headings never do. */
export function Shell() {
  const site = useSite();
  const view = useMatches().at(-1)?.loaderData as PageView | undefined;
  return (
    <Surroundings
      path={view?.page.path ?? site.homePath}
      nav={view?.nav ?? null}
      hasSidebar={view?.page.kind !== 'home'}
    />
  );
}

interface SurroundingsProps {
  path: string;
  nav: SectionNav | null;
  hasSidebar: boolean;
}

/** Not rendered again when the next page is only on its way: that would delay it by some milliseconds. */
const Surroundings = memo(function Surroundings({ path, nav, hasSidebar }: SurroundingsProps) {
  const site = useSite();
  return (
    <>
      <a href="#:main" className={styles.skip} data-behind-drawer="">
        Skip to content
      </a>
      {site.announcement && <Announcement announcement={site.announcement} />}
      <Navbar
        path={path}
        tools={{
          search: <SearchButton size="bar" />,
          theme: <ThemeToggle className={styles.tool} />,
        }}
      />
      <div className={hasSidebar ? styles.layout : `${styles.layout} ${styles.wide}`}>
        <main id=":main" className={styles.main} data-behind-drawer="">
          <Outlet />
        </main>
        <div id=":menu" className={styles.menu}>
          <DrawerHeader />
          <nav className={`${styles.links} ${menu.links}`} aria-label="Main, in the menu">
            <NavbarMenu path={path} />
          </nav>
          <Sidebar nav={nav} path={path} />
        </div>
      </div>
      <SiteFooter>
        <OfflineState />
      </SiteFooter>
      <SearchPlace />
      <ScrollRestoration />
      {/* Last: for what comes before something else, browsers compute the styles of the whole page again. */}
      <Progress />
    </>
  );
});

function Progress() {
  return <ProgressBar active={useNavigation().state === 'loading'} />;
}
