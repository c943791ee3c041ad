import type { ReactNode } from 'react';
import { destinationHref, useSay, useSite } from '../../shared/content/SiteContext';
import type { Word } from '../../shared/content/words';
import { Icon } from '../../shared/ui/Icon';
import { Mark } from '../../shared/ui/Mark';
import styles from './SiteFooter.module.css';

/** The label of the link that the indexer adds. */
const ALL_PAGES = 'All pages, A to Z' satisfies Word;

/** `children` stand beside the text. */
export function SiteFooter({ children }: { children?: ReactNode }) {
  const { base, title, isTitleInLogo, footer } = useSite();
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
                <a href={destinationHref(base, link)}>
                  {link.label === ALL_PAGES ? say(ALL_PAGES) : link.label}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </footer>
  );
}
