import type { ReactNode } from 'react';
import { destinationHref, useSite } from '../../shared/content/SiteContext';
import { Mark } from '../../shared/ui/Mark';
import styles from './SiteFooter.module.css';

/** `children` stand beside the text. */
export function SiteFooter({ children }: { children?: ReactNode }) {
  const { base, title, footer } = useSite();
  return (
    <footer className={styles.footer} data-behind-drawer="">
      <div className={styles.inner}>
        <p className={styles.name}>
          <Mark />
          {title}
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
