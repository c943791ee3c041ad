import { localeOf, sectionsOf } from '../../shared/content/locales';
import type { SectionLink, SectionNav, SidebarItem } from '../../shared/content/model';
import { useHref, useSay, useSite } from '../../shared/content/SiteContext';
import { firstPath } from '../../shared/content/sections';
import styles from './Sidebar.module.css';

/** With more sections than this only those beside the current one are listed, and where all are. */
const ALL_SECTIONS = 12;

/**
 * The sections as links, and the pages of the current one. The list stays as long as its section
 * however many pages and sections the whole site has.
 */
export function Sidebar({ nav, path }: { nav: SectionNav | null; path: string }) {
  const say = useSay();
  const site = useSite();
  const href = useHref();
  const all = sectionsOf(site, path);
  // The start page of the first language lists its sections.
  const isFirst = localeOf(site.locales, path) === site.locales[0];
  const sections = isFirst ? nearSections(all, nav) : all;
  return (
    <nav className={styles.sidebar} aria-label={say('Documentation')} data-menu="">
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
        {sections.length < all.length && (
          <li className={styles.all}>
            <a href={`${href(site.homePath)}#sections`}>
              {say.count(all.length, 'All sections', 'All {count} sections')}
            </a>
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
  const { locales } = useSite();
  const href = useHref();
  return (
    <ul>
      {items.map((item) => {
        const target = item.path ?? firstPath(item);
        // What nobody has translated is there in the first language, perhaps under a translated name.
        const { tag } = localeOf(locales, target ?? path);
        const isOpen = item.items.length > 0 && contains(item, path);
        return (
          <li key={target ?? item.title}>
            {target === null ? (
              <span lang={item.language}>{item.title}</span>
            ) : (
              <a
                href={href(target)}
                lang={item.language}
                hrefLang={tag === localeOf(locales, path).tag ? undefined : tag}
                aria-current={item.path === path ? 'page' : undefined}
              >
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
