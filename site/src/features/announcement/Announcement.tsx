import type { AnnouncementData } from '../../shared/content/model';
import { useSay, useSite } from '../../shared/content/SiteContext';
import { hrefOf } from '../../shared/lib/paths';
import { Icon } from '../../shared/ui/Icon';
import styles from './Announcement.module.css';

export function Announcement({ announcement }: { announcement: AnnouncementData }) {
  const { base } = useSite();
  const say = useSay();
  const { href, text } = announcement;
  return (
    <section className={styles.bar} aria-label={say('Announcement')} data-behind-drawer="">
      <p>
        {href === null ? (
          text
        ) : (
          <a href={href.startsWith('/') ? hrefOf(base, href) : href}>{text}</a>
        )}
      </p>
      <button type="button" className={styles.close} data-announcement-close="" data-needs-js="">
        <Icon name="close" />
        <span className="visually-hidden">{say('Dismiss the announcement')}</span>
      </button>
    </section>
  );
}
