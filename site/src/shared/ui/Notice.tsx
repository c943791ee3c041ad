import { Mark } from './Mark';
import styles from './Notice.module.css';

/** A page that says what happened and what to do. */
export function Notice({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className={styles.notice}>
      <Mark className={styles.mark} />
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}
