import { useHref, useSay, useSite } from '../shared/content/SiteContext';
import { Notice } from '../shared/ui/Notice';

export function Offline() {
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
        <a href={href(site.homePath)}>{say('Go to the start page')}</a>
      </p>
    </Notice>
  );
}
