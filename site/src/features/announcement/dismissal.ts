/** Whether the reader has dismissed the announcement that the site shows now. */
import { readStored, writeStored } from '../../shared/lib/storage';

/** Holds the id of the announcement that was dismissed last: a new id shows the bar again. */
const DISMISSED_KEY = 'siftwren.announcement.dismissed';

/** Hides the bar before the first paint when its id is the dismissed one. */
export function applyDismissal(root: HTMLElement, id: string): void {
  if (readStored(DISMISSED_KEY) === id) root.dataset.announcement = 'dismissed';
}

/** Hides the bar now, and on later visits as long as the id stays. */
export function dismiss(root: HTMLElement, id: string): void {
  root.dataset.announcement = 'dismissed';
  writeStored(DISMISSED_KEY, id);
}
