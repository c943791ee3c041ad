import { useSay } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import styles from './SearchButton.module.css';
import hero from './SearchHero.module.css';
import { searchLabel } from './searchLabel';

/**
 * Opens the search. The boot script answers the press, loads the application where that has not
 * happened yet, and hands over what was typed meanwhile. `query` is what it searches for at once.
 */
export function SearchButton({ size, query = '' }: { size: 'bar' | 'hero'; query?: string }) {
  const say = useSay();
  return (
    <button
      type="button"
      className={`${styles.button} ${size === 'hero' ? hero.hero : styles.bar}`}
      data-search={query}
      data-needs-js=""
      aria-keyshortcuts="Control+K Meta+K /"
    >
      <Icon name="search" />
      <span className={styles.label}>{searchLabel(query, say)}</span>
      <span className={styles.keys} aria-hidden="true">
        <span data-keys="mac">⌘ K</span>
        <span data-keys="other">Ctrl K</span>
      </span>
    </button>
  );
}
