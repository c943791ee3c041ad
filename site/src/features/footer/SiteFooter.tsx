import type { ReactNode } from 'react';
import { localeOf } from '../../shared/content/locales';
import { destinationHref, useSay, useSite } from '../../shared/content/SiteContext';
import type { Word } from '../../shared/content/words';
import { hrefOf } from '../../shared/lib/paths';
import { Icon } from '../../shared/ui/Icon';
import { Mark } from '../../shared/ui/Mark';
import styles from './SiteFooter.module.css';

/** The label of the link that the indexer adds. */
const ALL_PAGES = 'All pages, A to Z' satisfies Word;

interface SiteFooterProps {
  /** Of the page. */
  path: string;
  /** What stands beside the text. */
  children?: ReactNode;
}

export function SiteFooter({ path, children }: SiteFooterProps) {
  const { base, title, isTitleInLogo, footer, locales } = useSite();
  const { allPages } = localeOf(locales, path);
  const say = useSay();
  return (
    <footer className={styles.footer} data-behind-drawer="">
      <a href="#:app" className={styles.top}>
        <Icon name="arrowUp" />
        {say('Back to top')}
      </a>
      <div className={styles.inner}>
        <p className={styles.name}>
          <Mark />
          {isTitleInLogo ? <span className="visually-hidden">{title}</span> : title}
        </p>
        {footer.text !== null && <p className={styles.text}>{footer.text}</p>}
        {children}
        {footer.links.length > 0 && (
          <ul>
            {footer.links.map((link) => (
              <li key={link.label}>
                {link.label === ALL_PAGES && allPages !== null ? (
                  <a href={hrefOf(base, allPages)}>{say(ALL_PAGES)}</a>
                ) : (
                  <a href={destinationHref(base, link)}>{link.label}</a>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </footer>
  );
}
