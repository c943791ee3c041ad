import { useSay } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import styles from './ThemeToggle.module.css';

/**
 * The boot script answers the button. Both labels are in the document and the style sheet shows
 * the one that applies, so the prerendered page is right before any script has run.
 */
export function ThemeToggle({ className }: { className?: string | undefined }) {
  const say = useSay();
  return (
    <button type="button" className={className} data-theme-toggle="" data-needs-js="">
      <span className={styles.whenDark}>
        <Icon name="sun" />
        <span className="visually-hidden">{say('Switch to light mode')}</span>
      </span>
      <span className={styles.whenLight}>
        <Icon name="moon" />
        <span className="visually-hidden">{say('Switch to dark mode')}</span>
      </span>
    </button>
  );
}
