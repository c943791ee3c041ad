/** What the modal shows when there is no list of hits to show. */

import type { ReactNode } from 'react';
import type { Alternatives } from '../../platform/hit';
import { useSay } from '../../shared/content/SiteContext';
import { type HitActions, openedBy } from './HitList';
import { linkOf } from './hitLink';
import { NothingIcon, PageIcon, UnreachableIcon } from './icons';
import styles from './SearchModal.module.css';

interface NoResultsProps extends Pick<HitActions, 'onChoose' | 'onOpenElsewhere'> {
  readonly query: string;
  readonly alternatives: Alternatives | null;
  readonly siteRoot: string;
  onSuggestion(query: string): void;
}

export function NoResults({
  query,
  alternatives,
  siteRoot,
  onSuggestion,
  onChoose,
  onOpenElsewhere,
}: NoResultsProps) {
  const say = useSay();
  const [before, after] = say.around('No results for “{query}”', 'query');
  const { queries, pages } = alternatives ?? { queries: [], pages: [] };
  return (
    <Screen
      icon={<NothingIcon />}
      title={
        <>
          {before.slice(0, -1)}
          <span className={styles.quoted}>
            {before.slice(-1)}
            <span className={styles.queryText}>{query}</span>
            {after.slice(0, 1)}
          </span>
          {after.slice(1)}
        </>
      }
      help={
        queries.length === 0
          ? say('Try fewer or other words.')
          : say('Try fewer or other words, or search for:')
      }
    >
      {queries.length > 0 && (
        <ul className={styles.suggestions}>
          {queries.map((suggestion) => (
            <li key={suggestion}>
              <button
                type="button"
                className={styles.suggestion}
                onClick={() => onSuggestion(suggestion)}
              >
                {suggestion}
              </button>
            </li>
          ))}
        </ul>
      )}
      {pages.length > 0 && (
        <>
          <p className={styles.screenHelp}>{say('Or open a page that may be near:')}</p>
          <ul className={styles.nearPages}>
            {pages.map((page) => (
              <li key={page.pathname}>
                <a
                  className={styles.option}
                  href={linkOf(page, siteRoot)?.href}
                  {...openedBy(page, onChoose, onOpenElsewhere)}
                >
                  <span className={styles.optionIcon}>
                    <PageIcon />
                  </span>
                  <span className={styles.optionText}>{page.hierarchy.lvl1 || page.pathname}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Screen>
  );
}

export function Unreachable({ onRetry }: { onRetry(): void }) {
  const say = useSay();
  return (
    <Screen
      icon={<UnreachableIcon />}
      title={say('Unable to fetch results')}
      help={say('You might want to check your network connection.')}
    >
      <button type="button" className={styles.suggestion} onClick={onRetry}>
        {say('Try again')}
      </button>
    </Screen>
  );
}

interface ScreenProps {
  readonly icon: ReactNode;
  readonly title: ReactNode;
  readonly help: string;
  readonly children?: ReactNode;
}

function Screen({ icon, title, help, children }: ScreenProps) {
  return (
    <div className={styles.screen}>
      <span className={styles.screenIcon}>{icon}</span>
      <p className={styles.screenTitle}>{title}</p>
      <p className={styles.screenHelp}>{help}</p>
      {children}
    </div>
  );
}
