import { languageName, localeOf } from '../../shared/content/locales';
import type { NavbarItem, Translation } from '../../shared/content/model';
import { useHref, useSay, useSite } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import { Mark } from '../../shared/ui/Mark';
import { fitting, isShown, mostSpecific, withTools } from './items';
import styles from './Navbar.module.css';
import { keyOf, NavbarEntry } from './NavbarEntry';
import { searchLabel } from './searchLabel';

/** The two controls that are no links. */
type Tools = Record<'search' | 'theme', React.ReactNode>;

interface NavbarProps {
  path: string;
  /** Where the page is in the other languages. */
  translations: readonly Translation[];
}

/** The bar at the top of every page, with the items of the configuration. */
export function Navbar({ path, translations, tools }: NavbarProps & { tools: Tools }) {
  const say = useSay();
  const site = useSite();
  const href = useHref();
  const shown = withTools(site).filter((item) => isShown(item, site));
  const current = mostSpecific(shown, path);
  const items = fitting(shown, site, {
    more: say('More'),
    search: searchLabel('', say),
    language: languageName(localeOf(site.locales, path)),
  });
  return (
    <header
      className={styles.navbar}
      data-behind-drawer=""
      data-hides={site.hideNavbarOnScroll ? '' : undefined}
    >
      <div className={styles.inner}>
        <button
          type="button"
          className={styles.menu}
          data-drawer-open=""
          data-needs-js=""
          aria-expanded="false"
          aria-controls=":menu"
        >
          <Icon name="menu" />
          <span className="visually-hidden">{say('Open the menu')}</span>
        </button>
        <a href="#:menu" className={styles.menu} data-only-without-js="">
          <Icon name="menu" />
          <span className="visually-hidden">{say('Go to the menu')}</span>
        </a>
        <a href={href(localeOf(site.locales, path).start)} className={styles.brand}>
          <Mark />
          <span className={site.isTitleInLogo ? 'visually-hidden' : undefined}>{site.title}</span>
        </a>
        <nav className={styles.items} aria-label={say('Main')}>
          {(['left', 'right'] as const).map((position) => (
            <ul key={position}>
              {items
                .filter((item) => item.position === position)
                .map((item) =>
                  item.type === 'search' || item.type === 'theme' ? (
                    <li key={item.type} data-tool={item.type}>
                      {tools[item.type]}
                    </li>
                  ) : (
                    <li key={keyOf(item)}>
                      <NavbarEntry
                        item={item}
                        current={current}
                        path={path}
                        translations={translations}
                        form="bar"
                      />
                    </li>
                  ),
                )}
            </ul>
          ))}
        </nav>
      </div>
    </header>
  );
}

/** The same items at the top of the menu of narrow screens: first where to go, then what to choose. */
export function NavbarMenu({ path, translations }: NavbarProps) {
  const site = useSite();
  const items = withTools(site).filter((item) => isShown(item, site));
  const current = mostSpecific(items, path);
  const isChoice = ({ type }: NavbarItem) => type === 'language' || type === 'version';
  return (
    <ul>
      {[...items.filter((item) => !isChoice(item)), ...items.filter(isChoice)]
        .filter(({ type }) => type !== 'search' && type !== 'theme')
        .map((item) => (
          <li key={keyOf(item)}>
            <NavbarEntry
              item={item}
              current={current}
              path={path}
              translations={translations}
              form="menu"
            />
          </li>
        ))}
    </ul>
  );
}
