import { useEffect, useState } from 'react';
import { SearchButton } from '../features/navbar/SearchButton';
import type { PageLink, SiteData } from '../shared/content/model';
import { useHref, useSite } from '../shared/content/SiteContext';
import { hrefOf, pathOf } from '../shared/lib/paths';
import { Notice } from '../shared/ui/Notice';
import styles from './NotFound.module.css';
import { findNearPages, wordsOf } from './nearPages';
import { loadNav } from './pageSource';

const LONGEST_QUERY = 64;

/** `path` is empty in the one document that a static host gives for every address without a page. */
export function NotFound({ path }: { path: string }) {
  const site = useSite();
  const href = useHref();
  const { address, query, pages } = useNearPages(path, site);
  return (
    <Notice title="Page not found">
      <p>
        There is no page at this address
        <span data-missing="">{address === '' ? '' : `: ${address}`}</span>. It may have moved, or
        the link may be wrong.
      </p>
      <div role="status" className={styles.near}>
        {pages.length > 0 && (
          <>
            <p>{pages.length === 1 ? 'Did you mean this page?' : 'Did you mean one of these?'}</p>
            <Links links={pages} />
          </>
        )}
      </div>
      {site.search && <SearchButton size="hero" query={query} />}
      <nav aria-label="Ways to go on" className={styles.ways}>
        <p>
          <a href={href(site.homePath)}>Go to the start page</a>, or to one of the sections:
        </p>
        <ul className={styles.sections}>
          {site.sections.map((section) => (
            <li key={section.id}>
              <a href={href(section.path)}>{section.title}</a>
            </li>
          ))}
        </ul>
      </nav>
    </Notice>
  );
}

function Links({ links }: { links: readonly PageLink[] }) {
  const href = useHref();
  return (
    <ul className={styles.pages}>
      {links.map(({ path, title }) => (
        <li key={path}>
          <a href={href(path)}>{title}</a> <span className={styles.address}>{path}</span>
        </li>
      ))}
    </ul>
  );
}

interface Near {
  address: string;
  /** The address as words for the search. */
  query: string;
  /** They come a little later. */
  pages: PageLink[];
}

/** What the address may have meant. */
function useNearPages(path: string, site: SiteData): Near {
  const [near, setNear] = useState<Near>({ address: path, query: '', pages: [] });
  useEffect(() => {
    let isCurrent = true;
    const address = path || pathOf(site.base, location.pathname) || '/';
    const common = wordsOf(site.homePath);
    const words = wordsOf(address).filter((word) => !common.includes(word));
    const found: Near = { address, query: words.join(' ').slice(0, LONGEST_QUERY), pages: [] };
    setNear(found);
    void findNearPages(address, site.sections, site.homePath, (section) =>
      loadNav(hrefOf(site.base, section.nav)),
    ).then((pages) => isCurrent && setNear({ ...found, pages }));
    return () => {
      isCurrent = false;
    };
  }, [path, site]);
  return near;
}
