import { SearchButton } from '../features/navbar/SearchButton';
import { useHref, useSite } from '../shared/content/SiteContext';
import { Notice } from '../shared/ui/Notice';

export function NotFound({ path }: { path: string }) {
  const site = useSite();
  const href = useHref();
  return (
    <Notice title="Page not found">
      <p>
        There is no page at this address
        <span data-missing="">{path === '' ? '' : `: ${path}`}</span>. It may have moved, or the
        link may be wrong.
      </p>
      {site.search && <SearchButton size="hero" />}
      <p>
        <a href={href(site.homePath)}>Go to the start page</a>
      </p>
    </Notice>
  );
}
