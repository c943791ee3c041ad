import { type ChangeEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import { useSay } from '../../shared/content/SiteContext';
import { isComposing } from '../../shared/lib/composing';
import { CloseIcon, SearchIcon, SpinnerIcon } from './icons';
import { QUERY_MAX_LENGTH } from './limits';
import styles from './SearchModal.module.css';
import { howOf, type OpenHow } from './searchState';

interface SearchFieldProps {
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly query: string;
  readonly isBusy: boolean;
  /** The list under the field; null while there is none. */
  readonly listId: string | null;
  readonly activeId: string | null;
  onQuery(text: string): void;
  onMove(step: 1 | -1): void;
  onConfirm(how: OpenHow): void;
  onClose(): void;
}

export function SearchField({
  inputRef,
  query,
  isBusy,
  listId,
  activeId,
  onQuery,
  onMove,
  onConfirm,
  onClose,
}: SearchFieldProps) {
  const say = useSay();
  // Whoever leaves the field, by Tab or otherwise, chooses by its keys no more.
  const [hasFocus, setHasFocus] = useState(false);

  function onKeyDown(event: KeyboardEvent) {
    // Keys that an input method uses to compose a word are not ours.
    if (isComposing(event.nativeEvent)) {
      return;
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      onMove(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      onConfirm(howOf(event));
    }
  }

  function clear() {
    onQuery('');
    inputRef.current?.focus();
  }

  return (
    <div className={styles.field}>
      <span className={styles.fieldIcon} data-busy={isBusy}>
        {isBusy ? <SpinnerIcon /> : <SearchIcon />}
      </span>
      <input
        ref={inputRef}
        className={styles.input}
        type="text"
        role="combobox"
        aria-label={say('Search docs')}
        aria-autocomplete="list"
        aria-expanded={hasFocus && listId !== null}
        aria-controls={listId ?? undefined}
        aria-activedescendant={(hasFocus && activeId) || undefined}
        placeholder={say('Type to start searching')}
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="off"
        spellCheck={false}
        inputMode="search"
        enterKeyHint="go"
        maxLength={QUERY_MAX_LENGTH}
        value={query}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
      />
      {query !== '' && (
        <button
          type="button"
          className={styles.iconButton}
          aria-label={say('Clear the query')}
          title={say('Clear')}
          onClick={clear}
        >
          <CloseIcon />
        </button>
      )}
      <button type="button" className={styles.closeButton} onClick={onClose}>
        {say('Close')}
      </button>
    </div>
  );
}
