import { Icon } from '../../shared/ui/Icon';
import styles from './DrawerHeader.module.css';

export function DrawerHeader() {
  return (
    <div className={styles.header}>
      <p>Menu</p>
      <button type="button" data-drawer-close="">
        <Icon name="close" />
        <span className="visually-hidden">Close the menu</span>
      </button>
    </div>
  );
}
