import styles from './ProgressBar.module.css';

/** A thin bar at the top of the window. It appears after 200 ms, by the style sheet's delay. */
export function ProgressBar({ label }: { label: string }) {
  return <div className={styles.bar} role="progressbar" aria-label={label} />;
}
