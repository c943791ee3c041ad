import type { SectionNav, SidebarItem } from '../../shared/content/model';
import { firstPath } from '../../shared/content/sections';
import { useHref, useSite } from '../../shared/content/SiteContext';
import styles from './Sidebar.module.css';

/**
 * All sections as links, and the pages of the current one. The list stays as long as its section
 * however many pages the whole site has.
 */
export function Sidebar({ nav, path }: { nav: SectionNav | null; path: string }) {
  const { sections } = useSite();
  const href = useHref();
  return (
    <nav className={styles.sidebar} aria-label="Documentation">
      <ul>
        {sections.map((section) => {
          const isCurrent = section.id === nav?.id;
          return (
            <li key={section.id} className={isCurrent ? styles.current : undefined}>
              <a
                href={href(section.path)}
                className={styles.section}
                aria-current={section.path === path && !listed(nav, path) ? 'page' : undefined}
              >
                {section.title}
              </a>
              {isCurrent && nav && nav.items.length > 0 && <Items items={nav.items} path={path} />}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Folders are open along the way to the current page and one link elsewhere. */
function Items({ items, path }: { items: SidebarItem[]; path: string }) {
  const href = useHref();
  return (
    <ul>
      {items.map((item) => {
        const target = item.path ?? firstPath(item);
        const isOpen = item.items.length > 0 && contains(item, path);
        return (
          <li key={target ?? item.title}>
            {target === null ? (
              <span>{item.title}</span>
            ) : (
              <a href={href(target)} aria-current={item.path === path ? 'page' : undefined}>
                {item.title}
              </a>
            )}
            {isOpen && <Items items={item.items} path={path} />}
          </li>
        );
      })}
    </ul>
  );
}

function contains(item: SidebarItem, path: string): boolean {
  return item.path === path || item.items.some((child) => contains(child, path));
}

function listed(nav: SectionNav | null, path: string): boolean {
  return nav?.items.some((item) => contains(item, path)) ?? false;
}
