import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useSay } from '../../shared/content/SiteContext';
import type { Say } from '../../shared/content/words';
import { isComposing } from '../../shared/lib/composing';
import { HitList, optionId } from './HitList';
import { DownIcon, EnterIcon, OfflineIcon, UpIcon } from './icons';
import { SavedSearchesScreen } from './SavedSearchesScreen';
import { SearchField } from './SearchField';
import styles from './SearchModal.module.css';
import { NoResults, Unreachable } from './screens';
import { optionsOf, type Results, type SearchState, type SearchStore } from './searchState';

interface SearchModalProps {
  readonly store: SearchStore;
  readonly siteRoot: string;
}

/**
 * The modal. The browser's own dialog keeps the focus inside, makes the page behind inert and gives
 * the focus back; the field keeps the focus while the arrow keys move the selected option.
 */
export function SearchModal({ store, siteRoot }: SearchModalProps) {
  const say = useSay();
  const state = useStore(store);
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const listId = useId();
  const { isOpen, isQueryKept, active, results } = state;
  const hasOptions = optionsOf(state).length > 0;

  useLayoutEffect(() => {
    if (isOpen) {
      dialog.current?.showModal();
      input.current?.focus();
      if (isQueryKept) {
        input.current?.select();
      }
    } else if (dialog.current?.open) {
      dialog.current.close();
      leave(dialog.current);
    }
  }, [isOpen, isQueryKept]);

  const shownQuery = 'shown' in results ? results.shown?.query : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each query's results start at their top
  useLayoutEffect(() => {
    body.current?.scrollTo(0, 0);
  }, [shownQuery]);

  /** The browser may close the dialog itself (Back on a phone), and tells of every closing late. */
  function onClosed() {
    if (dialog.current?.open === false) {
      state.close();
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if ((event.key === 'Escape' || isShortcut) && !isComposing(event.nativeEvent)) {
      event.preventDefault();
      state.close();
    }
  }

  function onClick(event: MouseEvent) {
    // The panel covers the dialog, so a click on the dialog itself is one on the backdrop.
    if (event.target === dialog.current) {
      state.close();
    }
  }

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={say('Search docs')}
      onClose={onClosed}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <div className={styles.panel}>
        <SearchField
          inputRef={input}
          query={state.query}
          isBusy={results.status === 'stalled'}
          listId={hasOptions ? listId : null}
          activeId={hasOptions && active !== null ? optionId(listId, active) : null}
          onQuery={state.setQuery}
          onMove={state.move}
          onConfirm={state.confirm}
          onClose={state.close}
        />
        {sourceOf(results) === 'fallback' && (
          <p className={styles.offline}>
            <OfflineIcon />
            {say(hasOptions ? 'Results from the offline index' : 'Searched in the offline index')}
          </p>
        )}
        <div
          ref={body}
          className={styles.body}
          onPointerMove={() => state.point(true)}
          onPointerLeave={() => state.point(false)}
          onPointerDown={state.touch}
          onScroll={(event) => event.currentTarget.scrollTop > 0 && state.touch()}
        >
          <Body
            state={state}
            listId={listId}
            siteRoot={siteRoot}
            focus={() => input.current?.focus()}
          />
        </div>
        <Hints hasOptions={hasOptions} />
        <p role="status" className="visually-hidden">
          {isOpen ? announcementOf(state, say) : ''}
        </p>
      </div>
    </dialog>
  );
}

/**
 * Where nothing had the focus before, the browser leaves it in the closed dialog until it paints
 * the next time, and a key pressed in between would be the dialog's.
 */
function leave(dialog: HTMLDialogElement): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && dialog.contains(focused)) {
    focused.blur();
  }
}

interface BodyProps {
  readonly state: SearchState;
  readonly listId: string;
  readonly siteRoot: string;
  /** Back to the field, after a button that goes away with its click. */
  focus(): void;
}

function Body({ state, listId, siteRoot, focus }: BodyProps) {
  const say = useSay();
  const { active, results } = state;
  const list = {
    id: listId,
    active,
    siteRoot,
    onPoint: state.moveTo,
    onChoose: (hit: Parameters<typeof state.remember>[0]) => state.choose(hit, 'here'),
    onOpenElsewhere: state.remember,
  };
  switch (results.status) {
    case 'idle':
      return (
        <SavedSearchesScreen
          {...list}
          saved={state.saved}
          onForget={(hit) => {
            state.forget(hit);
            focus();
          }}
          onFavor={(hit) => {
            state.favor(hit);
            focus();
          }}
          onUnfavor={(hit) => {
            state.unfavor(hit);
            focus();
          }}
        />
      );
    case 'error':
      return (
        <Unreachable
          onRetry={() => {
            state.retry();
            focus();
          }}
        />
      );
    default: {
      // While a search runs, what the one before found stays where it is.
      const { status, shown } = results;
      if (shown !== null && shown.hits.length > 0) {
        return <HitList {...list} groups={shown.groups} />;
      }
      if (shown === null || status === 'stalled') {
        return <p className={styles.quiet}>{status === 'stalled' ? say('Searching…') : ''}</p>;
      }
      return (
        <NoResults
          {...list}
          query={shown.query}
          alternatives={shown.alternatives}
          onSuggestion={(query) => {
            state.setQuery(query);
            focus();
          }}
        />
      );
    }
  }
}

function Hints({ hasOptions }: { hasOptions: boolean }) {
  const say = useSay();
  return (
    <footer className={styles.hints}>
      {hasOptions && (
        <>
          <span>
            <kbd>
              <EnterIcon />
              <span className="visually-hidden">{say('Enter')}</span>
            </kbd>
            {say('to open')}
          </span>
          <span>
            <kbd>
              <UpIcon />
              <span className="visually-hidden">{say('Up')}</span>
            </kbd>
            <kbd>
              <DownIcon />
              <span className="visually-hidden">{say('Down')}</span>
            </kbd>
            {say('to move')}
          </span>
        </>
      )}
      <span>
        <kbd>Esc</kbd> {say('to close')}
      </span>
    </footer>
  );
}

function sourceOf(results: Results) {
  return 'shown' in results ? (results.shown?.source ?? null) : null;
}

/** What a screen reader says when the results change, or something was done to what is kept. */
function announcementOf({ done, results }: SearchState, say: Say): string {
  if (done !== null) return say(done);
  switch (results.status) {
    case 'idle':
    case 'loading':
      return '';
    case 'stalled':
      return say('Searching…');
    case 'error':
      return `${say('Unable to fetch results')}. ${say('You might want to check your network connection.')}`;
    case 'ready': {
      const { hits, query, source } = results.shown;
      if (hits.length === 0) {
        return say('No results for “{query}”', { query });
      }
      return source === 'fallback'
        ? say.count(
            hits.length,
            '{count} result from the offline index',
            '{count} results from the offline index',
          )
        : say.count(hits.length, '{count} result', '{count} results');
    }
  }
}
