import type { ReactNode } from 'react';
import { destinationHref, useSite } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import { Mark } from '../../shared/ui/Mark';
import styles from './SiteFooter.module.css';

/** `children` stand beside the text. */
export function SiteFooter({ children }: { children?: ReactNode }) {
  const { base, title, isTitleInLogo, footer } = useSite();
  return (
    <footer className={styles.footer} data-behind-drawer="">
      <a href="#:app" className={styles.top}>
        <Icon name="arrowUp" />
        Back to top
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
                <a href={destinationHref(base, link)}>{link.label}</a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </footer>
  );
}
