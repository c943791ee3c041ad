import styles from './OfflineState.module.css';

/**
 * What is stored for reading without a network. The script that asks for it writes it here, without React and often before it:
 * whatever stands here when the application takes the page over stays.
 */
export function OfflineState() {
  return (
    <p className={styles.state} data-offline-state="" suppressHydrationWarning={true}>
      {''}
    </p>
  );
}
