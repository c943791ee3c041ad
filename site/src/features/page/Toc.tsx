import type { TocEntry } from '../../shared/content/model';
import { useSay } from '../../shared/content/SiteContext';
import styles from './Toc.module.css';

/** Beside the text on wide screens. */
export function Toc({ entries }: { entries: TocEntry[] }) {
  const say = useSay();
  return (
    <nav className={styles.aside} aria-labelledby=":toc" data-toc="">
      <p id=":toc" className={styles.title}>
        {say('On this page')}
      </p>
      <Entries entries={entries} />
    </nav>
  );
}

/** Above the text on narrower ones, and on pages that have no room beside it. */
export function TocDisclosure({ entries, isOnly }: { entries: TocEntry[]; isOnly: boolean }) {
  const say = useSay();
  return (
    <details className={isOnly ? `${styles.disclosure} ${styles.only}` : styles.disclosure}>
      <summary>{say('On this page')}</summary>
      <nav aria-label={say('On this page')} data-toc={isOnly ? '' : undefined}>
        <Entries entries={entries} />
      </nav>
    </details>
  );
}

function Entries({ entries }: { entries: TocEntry[] }) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.id} data-level={entry.level}>
          <a href={`#${entry.id}`}>{entry.title}</a>
        </li>
      ))}
    </ul>
  );
}
