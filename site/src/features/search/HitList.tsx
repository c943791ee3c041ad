import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import type { Hit } from '../../platform/hit';
import { useSay } from '../../shared/content/SiteContext';
import type { HitGroup } from './groupHits';
import { Highlighted } from './Highlighted';
import { linkOf } from './hitLink';
import { EnterIcon, PageIcon, SectionIcon } from './icons';
import styles from './SearchModal.module.css';

export interface HitActions {
  onPoint(index: number): void;
  onChoose(hit: Hit): void;
  /** A click with a modifier or the middle button: the browser opens the link itself. */
  onOpenElsewhere(hit: Hit): void;
}

interface HitListProps extends HitActions {
  readonly id: string;
  readonly groups: readonly HitGroup[];
  readonly active: number | null;
  readonly siteRoot: string;
}

/** The options of the search field: hits by section of the docs, hits of one page as one branch. */
export function HitList({ id, groups, active, siteRoot, ...actions }: HitListProps) {
  const say = useSay();
  const labelId = useId();
  let index = -1;
  const keys = new Set<string>();
  /** What a hit keeps when the list changes, so that its element moves with it. */
  function keyOf(hit: Hit): string {
    let key = `${hit.pathname}#${hit.hash}`;
    while (keys.has(key)) {
      key += '#';
    }
    keys.add(key);
    return key;
  }
  return (
    <div id={id} role="listbox" aria-label={say('Results')} className={styles.list}>
      {groups.map((group, position) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a part of a listbox
        <div key={group.lvl0} role="group" aria-labelledby={`${labelId}-${position}`}>
          <div id={`${labelId}-${position}`} className={styles.groupLabel}>
            {group.lvl0}
          </div>
          {group.pages.flatMap((page) =>
            page.hits.map((hit, place) => {
              index += 1;
              return (
                <HitOption
                  key={keyOf(hit)}
                  id={optionId(id, index)}
                  hit={hit}
                  index={index}
                  isActive={index === active}
                  branch={place > 0 && hit.content !== ''}
                  siteRoot={siteRoot}
                  icon={hit.hash === '' ? <PageIcon /> : <SectionIcon />}
                  {...actions}
                />
              );
            }),
          )}
        </div>
      ))}
    </div>
  );
}

/** A link to a hit: a plain click stays in this page, any other is the browser's. */
export function openedBy(
  hit: Hit,
  onChoose: HitActions['onChoose'],
  onOpenElsewhere: HitActions['onOpenElsewhere'],
) {
  return {
    /** The field keeps the focus, so that the keys go on working after a click that stays here. */
    onMouseDown(event: MouseEvent) {
      event.preventDefault();
    },
    onClick(event: MouseEvent<HTMLAnchorElement>) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) {
        onOpenElsewhere(hit);
        // Browsers know it on Apple's systems alone, and would open the page here.
        const isPlain = event.metaKey && !event.ctrlKey && !event.shiftKey;
        if (isPlain && !/Mac|iP/.test(navigator.platform)) {
          event.preventDefault();
          window.open(event.currentTarget.href, '_blank', 'noopener');
        }
      } else {
        event.preventDefault();
        onChoose(hit);
      }
    },
    onAuxClick(event: MouseEvent) {
      if (event.button === 1) {
        onOpenElsewhere(hit);
      }
    },
  };
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

interface HitOptionProps extends HitActions {
  readonly id: string;
  readonly hit: Hit;
  readonly index: number;
  readonly isActive: boolean;
  /** One more hit of the page above: its title is not repeated to the eye. */
  readonly branch: boolean;
  readonly siteRoot: string;
  readonly icon: ReactNode;
}

/** A hit is a real link, so that the browser's own ways to open one work; the field keeps the focus. */
export function HitOption({
  id,
  hit,
  index,
  isActive,
  branch,
  siteRoot,
  icon,
  onPoint,
  onChoose,
  onOpenElsewhere,
}: HitOptionProps) {
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isActive) {
      element.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isActive]);

  return (
    <a
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      href={linkOf(hit, siteRoot)?.href}
      className={styles.option}
      data-branch={branch}
      {...openedBy(hit, onChoose, onOpenElsewhere)}
      onPointerMove={() => isActive || onPoint(index)}
    >
      <span className={styles.optionIcon}>{icon}</span>
      <span className={styles.optionText}>
        <span className={branch ? 'visually-hidden' : styles.optionTitle}>
          {/* A foreign index may hold pages without a title: their address then names them. */}
          <Highlighted text={hit.hierarchy.lvl1 || hit.pathname} ranges={hit.marks.lvl1} />
        </span>
        {hit.content !== '' && (
          <>
            {/* Read out, the title and the text need something between them. */}
            <span className="visually-hidden">: </span>
            <span className={branch ? styles.optionTitle : styles.optionContent}>
              <Highlighted text={hit.content} ranges={hit.marks.content} />
            </span>
          </>
        )}
      </span>
      <span className={styles.optionKey}>
        <EnterIcon />
      </span>
    </a>
  );
}
