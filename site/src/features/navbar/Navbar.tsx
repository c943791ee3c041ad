import type { Destination } from '../../shared/content/model';
import { destinationHref, useHref, useSite } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import { Mark } from '../../shared/ui/Mark';
import styles from './Navbar.module.css';

/** `tools` are the controls at the end of the bar; the shell decides which there are. */
export function Navbar({ path, tools }: { path: string; tools: React.ReactNode }) {
  const site = useSite();
  const href = useHref();
  return (
    <header className={styles.navbar} data-behind-drawer="">
      <div className={styles.inner}>
        <button
          type="button"
          className={styles.menu}
          data-drawer-open=""
          data-needs-js=""
          aria-expanded="false"
          aria-controls="menu"
        >
          <Icon name="menu" />
          <span className="visually-hidden">Open the menu</span>
        </button>
        <a href="#menu" className={styles.menu} data-only-without-js="">
          <Icon name="menu" />
          <span className="visually-hidden">Go to the menu</span>
        </a>
        <a href={href(site.homePath)} className={styles.brand}>
          <Mark />
          <span>{site.title}</span>
        </a>
        {site.navbar.length > 0 && (
          <nav className={styles.links} aria-label="Main">
            <NavbarLinks path={path} />
          </nav>
        )}
        <div className={styles.tools}>{tools}</div>
      </div>
    </header>
  );
}

/** The configured links, in the bar and again at the top of the drawer. */
export function NavbarLinks({ path }: { path: string }) {
  const { base, navbar } = useSite();
  const current = mostSpecific(navbar, path);
  return (
    <ul>
      {navbar.map((item) => (
        <li key={item.label}>
          <a
            href={destinationHref(base, item)}
            aria-current={item === current ? 'true' : undefined}
          >
            {item.label}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Of the links whose path contains the page, the longest. */
export function mostSpecific(navbar: Destination[], path: string): Destination | null {
  let best: (Destination & { to: string }) | null = null;
  for (const item of navbar) {
    if (!('to' in item)) continue;
    const contains = item.to === '/' || path === item.to || path.startsWith(`${item.to}/`);
    if (contains && (best === null || item.to.length > best.to.length)) best = item;
  }
  return best;
}
