import type { AnnouncementData } from '../../shared/content/model';
import { Icon } from '../../shared/ui/Icon';
import styles from './Announcement.module.css';

export function Announcement({ announcement }: { announcement: AnnouncementData }) {
  return (
    <section
      className={styles.bar}
      aria-label="Announcement"
      data-announcement-id={announcement.id}
      data-behind-drawer=""
    >
      <p>
        {announcement.href === null ? (
          announcement.text
        ) : (
          <a href={announcement.href}>{announcement.text}</a>
        )}
      </p>
      <button type="button" className={styles.close} data-announcement-close="" data-needs-js="">
        <Icon name="close" />
        <span className="visually-hidden">Dismiss the announcement</span>
      </button>
    </section>
  );
}
