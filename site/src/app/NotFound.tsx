import { useEffect, useState } from 'react';
import { SearchButton } from '../features/navbar/SearchButton';
import { isAnywhere, localeOf, sectionsOf } from '../shared/content/locales';
import type { NearPages, NotFoundPage, PageLink, SiteData } from '../shared/content/model';
import { useHref, useSay, useSite } from '../shared/content/SiteContext';
import { pathOf } from '../shared/lib/paths';
import { Notice } from '../shared/ui/Notice';
import styles from './NotFound.module.css';
import { findNear, nearQuestion } from './nearPages';
import { loadNav } from './pageSource';

/**
 * A static host gives the same document for every address without a page, or for every one below a folder. There
 * `boot/missing.ts` writes what is near, into what this renders; the room for it is at the end and is kept.
 */
export function NotFound({ page }: { page: NotFoundPage }) {
  const say = useSay();
  const site = useSite();
  const href = useHref();
  const near = useNear(page, site);
  const [before, after] = say.around('{start}, or to one of the sections:', 'start');
  const { address, query, pages } = near ?? {
    address: isAnywhere(page.path) ? '' : page.path,
    query: '',
    pages: [],
  };
  return (
    <Notice title={say('Page not found')}>
      <p>{say('There is no page at this address. It may have moved, or the link may be wrong.')}</p>
      {site.search && <SearchButton size="hero" query={query} />}
      <nav aria-label={say('Ways to go on')} className={styles.ways}>
        <p>
          {before}
          <a href={href(localeOf(site.locales, page.path).start)}>{say('Go to the start page')}</a>
          {after}
        </p>
        <ul className={styles.sections}>
          {sectionsOf(site, page.path).map((section) => (
            <li key={section.id}>
              <a href={href(section.path)}>{section.title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.near}>
        <p className={styles.address} data-missing="">
          {address}
        </p>
        <div role="status" data-near="">
          {pages.length > 0 && (
            <>
              <p>{say(nearQuestion(pages))}</p>
              <Links links={pages} />
            </>
          )}
        </div>
      </div>
    </Notice>
  );
}

/** `boot/missing.ts` writes the same. */
function Links({ links }: { links: readonly PageLink[] }) {
  const href = useHref();
  return (
    <ul>
      {links.map(({ path, title }) => (
        <li key={path}>
          <a href={href(path)}>{title}</a> <span>{path}</span>
        </li>
      ))}
    </ul>
  );
}

function useNear({ path, near: known }: NotFoundPage, site: SiteData): NearPages | null {
  const [near, setNear] = useState(known);
  useEffect(() => {
    if (known) return;
    let isCurrent = true;
    const address = isAnywhere(path) ? pathOf(site.base, location.pathname) || '/' : path;
    void findNear(address, site, loadNav).then((found) => isCurrent && setNear(found));
    return () => {
      isCurrent = false;
    };
  }, [path, known, site]);
  return near;
}
