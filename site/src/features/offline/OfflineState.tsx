import styles from './OfflineState.module.css';

/**
 * What is stored for reading without a network. Which of the lines is seen, the boot script says on
 * the root element, from the first load on and without React.
 */
export function OfflineState() {
  return (
    <p className={styles.state}>
      <span data-when="storing">Storing for offline reading…</span>
      <span data-when="stored">Available offline</span>
      <span data-when="visited">Visited pages are available offline</span>
      <span data-when="full">No room to store these docs offline</span>
    </p>
  );
}
