import type { SectionLink, SectionNav, SidebarItem } from '../../shared/content/model';
import { firstPath } from '../../shared/content/sections';
import { useHref, useSite } from '../../shared/content/SiteContext';
import styles from './Sidebar.module.css';

/** With more sections than this only those beside the current one are listed, and where all are. */
const ALL_SECTIONS = 12;

/**
 * The sections as links, and the pages of the current one. The list stays as long as its section
 * however many pages and sections the whole site has.
 */
export function Sidebar({ nav, path }: { nav: SectionNav | null; path: string }) {
  const site = useSite();
  const href = useHref();
  const sections = nearSections(site.sections, nav);
  return (
    <nav className={styles.sidebar} aria-label="Documentation" data-menu="">
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
        {sections.length < site.sections.length && (
          <li className={styles.all}>
            <a href={`${href(site.homePath)}#sections`}>All {site.sections.length} sections</a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function nearSections(sections: SectionLink[], nav: SectionNav | null): SectionLink[] {
  if (sections.length <= ALL_SECTIONS) return sections;
  const current = sections.findIndex(({ id }) => id === nav?.id);
  if (current < 0) return sections.slice(0, ALL_SECTIONS);
  return sections.slice(Math.max(0, current - 1), current + 2);
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
