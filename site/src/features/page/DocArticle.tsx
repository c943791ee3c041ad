import { memo } from 'react';
import { localeOf } from '../../shared/content/locales';
import type { DocPage } from '../../shared/content/model';
import { useHref, useSay, useSite } from '../../shared/content/SiteContext';
import { formatDate } from '../../shared/lib/dates';
import { Icon } from '../../shared/ui/Icon';
import styles from './DocArticle.module.css';
import { PageBody } from './PageBody';
import { Pager } from './Pager';
import { Toc, TocDisclosure } from './Toc';

export const DocArticle = memo(function DocArticle({ page }: { page: DocPage }) {
  const isWide = page.layout === 'operations';
  const hasToc = page.toc.length > 1;
  // The text has its place before what stands beside it has arrived.
  const form = isWide ? styles.wide : hasToc ? styles.beside : '';
  return (
    <div className={`${styles.columns} ${form}`.trim()}>
      <article
        className={styles.article}
        data-section={page.section.id}
        data-layout={page.layout === 'text' ? undefined : page.layout}
      >
        <Breadcrumbs page={page} />
        <h1 tabIndex={-1}>{page.title}</h1>
        {hasToc && <TocDisclosure entries={page.toc} isOnly={isWide} />}
        <PageBody html={page.html} />
        <PageFacts page={page} />
        <Pager previous={page.previous} next={page.next} />
      </article>
      {hasToc && !isWide && <Toc entries={page.toc} />}
    </div>
  );
});

function Breadcrumbs({ page }: { page: DocPage }) {
  const say = useSay();
  const site = useSite();
  const href = useHref();
  const section = site.sections.find(({ id }) => id === page.section.id);
  // The page of a section that is called as it is stands there once.
  const isSection = section?.path === page.path && page.section.title === page.title;
  return (
    <nav className={styles.breadcrumbs} aria-label={say('Breadcrumb')}>
      <ol>
        <li>
          <a href={href(localeOf(site.locales, page.path).start)}>{say('Home')}</a>
        </li>
        {page.section.title !== '' && !isSection && (
          <li>
            {section && section.path !== page.path ? (
              <a href={href(section.path)}>{page.section.title}</a>
            ) : (
              <span>{page.section.title}</span>
            )}
          </li>
        )}
        <li>
          <span aria-current="page">{page.title}</span>
        </li>
      </ol>
    </nav>
  );
}

function PageFacts({ page }: { page: DocPage }) {
  const say = useSay();
  const { locales } = useSite();
  if (page.editUrl === null && page.lastChange === null) return null;
  const [before, after] = say.around('Last changed {date}', 'date');
  const { tag } = localeOf(locales, page.path);
  return (
    <p className={styles.facts}>
      {page.editUrl !== null && (
        <a href={page.editUrl} data-edit="">
          <Icon name="pencil" />
          {say('Edit this page')}
        </a>
      )}
      {page.lastChange !== null && (
        <span>
          {before}
          <time dateTime={page.lastChange} suppressHydrationWarning={true}>
            {formatDate(page.lastChange, tag)}
          </time>
          {after}
        </span>
      )}
    </p>
  );
}
