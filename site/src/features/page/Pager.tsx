import type { PageLink } from '../../shared/content/model';
import { useHref, useSay } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import styles from './Pager.module.css';

export function Pager({ previous, next }: { previous: PageLink | null; next: PageLink | null }) {
  const say = useSay();
  const href = useHref();
  if (!previous && !next) return null;
  return (
    <nav className={styles.pager} aria-label={say('Previous and next page')}>
      {previous && (
        <a href={href(previous.path)} rel="prev">
          <small>{say('Previous')}</small>
          <span>
            <Icon name="arrowLeft" />
            <span data-title="">{previous.title}</span>
          </span>
        </a>
      )}
      {next && (
        <a href={href(next.path)} rel="next">
          <small>{say('Next')}</small>
          <span>
            <span data-title="">{next.title}</span>
            <Icon name="arrowRight" />
          </span>
        </a>
      )}
    </nav>
  );
}
