import { isLeavingOver, isOver, leaveOver, pushOver } from '../../shared/lib/overEntry';
import { NARROW_SCREEN } from './limits';

interface BackEntry {
  /** The modal has been opened. */
  enter(): void;
  /** It has been closed. */
  leave(): void;
  /** The next page is to take the place of the entry. */
  handOver(): void;
}

/** Where the modal fills the screen, Back closes it: it has an entry of the history to itself while it is open. */
export function createBackEntry(window: Window, close: () => void): BackEntry {
  const { document, history } = window;
  let state: 'none' | 'waiting' | 'own' = 'none';

  function become(next: typeof state): void {
    state = next;
    if (state === 'none') window.removeEventListener('popstate', onPopState);
    else window.addEventListener('popstate', onPopState);
  }

  function onPopState(): void {
    if (state === 'waiting') {
      own();
    } else {
      become('none');
      close();
    }
  }

  function own(): void {
    // After Forward, and after a reload, the entry of an earlier time is there.
    if (!isOver(history.state)) pushOver(history);
    become('own');
  }

  return {
    enter() {
      if (!window.matchMedia(NARROW_SCREEN).matches) return;
      // The entry of a menu or search that has just been closed is still there, and about to go.
      if (isLeavingOver(document)) become('waiting');
      else own();
    },
    leave() {
      const isOwn = state === 'own';
      become('none');
      if (isOwn) leaveOver(window);
    },
    handOver() {
      become('none');
    },
  };
}
