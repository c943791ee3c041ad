import { localeOf } from '../shared/content/locales';
import type { OfflinePage } from '../shared/content/model';
import { useHref, useSay, useSite } from '../shared/content/SiteContext';
import { Notice } from '../shared/ui/Notice';

export function Offline({ page }: { page: OfflinePage }) {
  const say = useSay();
  const site = useSite();
  const href = useHref();
  return (
    <Notice title={say('You are offline')}>
      <p>
        {say(
          'This page has not been stored on this device. It will be here when the network is back.',
        )}
      </p>
      <p>
        <a href={href(localeOf(site.locales, page.path).start)}>{say('Go to the start page')}</a>
      </p>
    </Notice>
  );
}
