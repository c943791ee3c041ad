/**
 * The screen with an empty query. All options are in one listbox, which may hold nothing else; the
 * buttons stand beside it, each on the line of its option.
 */

import type { ReactNode } from 'react';
import type { Hit } from '../../platform/hit';
import { useSay } from '../../shared/content/SiteContext';
import { type HitActions, HitOption, optionId } from './HitList';
import { CloseIcon, FavoriteIcon, RecentIcon } from './icons';
import styles from './SearchModal.module.css';
import type { Saved } from './savedSearches';

interface SavedSearchesScreenProps extends HitActions {
  readonly id: string;
  readonly saved: Saved;
  readonly active: number | null;
  readonly siteRoot: string;
  onForget(hit: Hit): void;
  onFavor(hit: Hit): void;
  onUnfavor(hit: Hit): void;
}

export function SavedSearchesScreen({
  id,
  saved: { recents, favorites },
  active,
  siteRoot,
  onForget,
  onFavor,
  onUnfavor,
  ...actions
}: SavedSearchesScreenProps) {
  const say = useSay();
  if (recents.length + favorites.length === 0) {
    return <p className={styles.quiet}>{say('No recent searches')}</p>;
  }

  function options(hits: readonly Hit[], from: number, icon: ReactNode) {
    return hits.map((hit, place) => (
      <HitOption
        key={keyOf(hit)}
        id={optionId(id, from + place)}
        hit={hit}
        index={from + place}
        isActive={from + place === active}
        branch={false}
        siteRoot={siteRoot}
        icon={icon}
        {...actions}
      />
    ));
  }

  return (
    <div className={styles.saved}>
      <div id={id} role="listbox" aria-label={say('Recent and favorite searches')}>
        <Group id={`${id}-recent`} name={say('Recent searches')} hits={recents}>
          {options(recents, 0, <RecentIcon />)}
        </Group>
        <Group id={`${id}-favorite`} name={say('Favorites')} hits={favorites}>
          {options(favorites, recents.length, <FavoriteIcon isKept />)}
        </Group>
      </div>
      <div>
        <Buttons hits={recents}>
          {(hit) => (
            <>
              <RowButton
                name={say('Move {title} to favorites', { title: nameOf(hit) })}
                title={say('Move to favorites')}
                onPress={() => onFavor(hit)}
              >
                <FavoriteIcon isKept={false} />
              </RowButton>
              <RowButton
                name={say('Remove {title} from recent searches', { title: nameOf(hit) })}
                title={say('Remove')}
                onPress={() => onForget(hit)}
              >
                <CloseIcon />
              </RowButton>
            </>
          )}
        </Buttons>
        <Buttons hits={favorites}>
          {(hit) => (
            <RowButton
              name={say('Remove {title} from favorites', { title: nameOf(hit) })}
              title={say('Remove')}
              onPress={() => onUnfavor(hit)}
            >
              <CloseIcon />
            </RowButton>
          )}
        </Buttons>
      </div>
    </div>
  );
}

interface GroupProps {
  readonly id: string;
  readonly name: string;
  readonly hits: readonly Hit[];
  readonly children: ReactNode;
}

function Group({ id, name, hits, children }: GroupProps) {
  return (
    hits.length > 0 && (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a part of a listbox
      <div role="group" aria-labelledby={id} className={styles.savedRows}>
        <div id={id} className={styles.groupLabel}>
          {name}
        </div>
        {children}
      </div>
    )
  );
}

interface ButtonsProps {
  readonly hits: readonly Hit[];
  readonly children: (hit: Hit) => ReactNode;
}

function Buttons({ hits, children }: ButtonsProps) {
  return (
    hits.length > 0 && (
      <div className={styles.savedRows}>
        <div className={styles.groupLabel} />
        {hits.map((hit) => (
          <div key={keyOf(hit)} className={styles.savedButtons}>
            {children(hit)}
          </div>
        ))}
      </div>
    )
  );
}

interface RowButtonProps {
  readonly name: string;
  readonly title: string;
  readonly children: ReactNode;
  onPress(): void;
}

function RowButton({ name, title, children, onPress }: RowButtonProps) {
  return (
    <button
      type="button"
      className={styles.iconButton}
      aria-label={name}
      title={title}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

function keyOf(hit: Hit): string {
  return `${hit.pathname}#${hit.hash}`;
}

function nameOf(hit: Hit): string {
  const title = hit.hierarchy.lvl1 || hit.pathname;
  return hit.content === '' ? title : `${title}: ${hit.content}`;
}
