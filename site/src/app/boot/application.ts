/**
 * Loads the application when the reader is about to use it, and remembers what was pressed until
 * it is there.
 */

import { isComposing } from '../../shared/lib/composing';
import { loadOnce } from '../../shared/lib/loadOnce';
import { PATIENCE_MS } from '../../shared/lib/patience';
import type { Application, SearchWish } from '../client';

interface ApplicationLoader {
  /** Starts loading; further calls change nothing. A failure is silent here: the page works. */
  warm(): void;
  /** The same for the search, with its index. */
  warmSearch(): void;
  /** Opens the search as soon as it is there. */
  search(query: string): void;
  /** Opens or closes the console of a button as soon as it is there. */
  console(button: HTMLElement): void;
}

interface LoaderEvents {
  /** The search has been asked for and is not there yet, or is there now. */
  waiting(isWaiting: boolean): void;
  /** `what` could not be loaded. */
  failed(error: unknown, what: 'search' | 'console'): void;
}

/** `load` imports and starts the application; after a failure it is called again, for a reader at once. */
export function createApplicationLoader(
  load: () => Promise<Application>,
  document: Document,
  events: LoaderEvents,
): ApplicationLoader {
  const get = loadOnce(load);
  let wish: SearchWish | null = null;

  /** What fails may have been on its way before the reader asked, so it is not the answer yet. */
  function getForReader(
    what: 'search' | 'console',
    use: (ready: Application) => Promise<void>,
    end: () => void,
  ): void {
    let isOver = false;
    const attempt = async () => {
      const ready = await get();
      if (!isOver) await use(ready);
    };
    Promise.race([attempt().catch(attempt), timeout()])
      .catch((error: unknown) => events.failed(error, what))
      .finally(() => {
        isOver = true;
        end();
      });
  }

  /** Keys pressed between the shortcut and the open dialog belong to that, unless the reader goes on by Tab. */
  function collect(event: KeyboardEvent): void {
    const { key } = event;
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if (!wish || isComposing(event) || (isCommand && key !== 'Enter')) return;
    // What the field would do something about.
    if (/^(.|Backspace|Enter|Escape|ArrowUp|ArrowDown)$/u.test(key)) {
      wish.push(event);
      event.preventDefault();
    }
    if (key === 'Escape' || key === 'Tab') wish = null;
  }

  return {
    warm() {
      get().catch(() => {
        // Nobody asked for it yet. Whoever does gets a new attempt and its error.
      });
    },
    warmSearch() {
      get()
        .then((ready) => ready.warmSearch())
        .catch(() => {
          // As above.
        });
    },
    search(query) {
      if (wish) return;
      wish = [query];
      document.addEventListener('keydown', collect);
      events.waiting(true);
      getForReader(
        'search',
        (ready) => ready.openSearch(() => wish),
        () => {
          wish = null;
          document.removeEventListener('keydown', collect);
          events.waiting(false);
        },
      );
    },
    console(button) {
      if (button.ariaBusy) return;
      button.ariaBusy = 'true';
      getForReader(
        'console',
        (ready) => ready.toggleConsole(button),
        () => {
          button.ariaBusy = null;
        },
      );
    },
  };
}

function timeout(): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, PATIENCE_MS, new Error('timeout')));
}
