import { useHref, useSite } from '../shared/content/SiteContext';
import { Notice } from '../shared/ui/Notice';

export function Offline() {
  const site = useSite();
  const href = useHref();
  return (
    <Notice title="You are offline">
      <p>This page has not been stored on this device. It will be here when the network is back.</p>
      <p>
        <a href={href(site.homePath)}>Go to the start page</a>
      </p>
    </Notice>
  );
}
