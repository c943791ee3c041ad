import { useSay } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import styles from './DrawerHeader.module.css';

export function DrawerHeader() {
  const say = useSay();
  return (
    <div className={styles.header}>
      <p>{say('Menu')}</p>
      <button type="button" data-drawer-close="">
        <Icon name="close" />
        <span className="visually-hidden">{say('Close the menu')}</span>
      </button>
    </div>
  );
}
