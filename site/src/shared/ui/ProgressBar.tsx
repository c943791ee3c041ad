import styles from './ProgressBar.module.css';

/** A thin bar at the top of the window. It appears after 200 ms, by the style sheet's delay. */
export function ProgressBar({ active }: { active: boolean }) {
  return active ? (
    <div className={styles.bar} role="progressbar" aria-label="Loading the page" />
  ) : null;
}
