/**
 * The colour mode. Without a stored choice the style sheet follows the system by itself; a stored
 * choice is an attribute on the root element, which the style sheet obeys first.
 */
import { readStored, writeStored } from '../../shared/lib/storage';

type Theme = 'dark' | 'light';

export const THEME_KEY = 'siftwren.theme';

function storedTheme(): Theme | null {
  const value = readStored(THEME_KEY);
  return value === 'dark' || value === 'light' ? value : null;
}

/** The theme on screen: the chosen one, else the system's, else dark. */
export function currentTheme(root: HTMLElement, prefersLight: boolean): Theme {
  const chosen = root.dataset.theme;
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return prefersLight ? 'light' : 'dark';
}

/** Puts the stored choice on the root element. Must run before the first paint. */
export function applyStoredTheme(root: HTMLElement): void {
  const theme = storedTheme();
  if (theme) root.dataset.theme = theme;
}

/** Shows what is chosen in other tabs, also in one that was away meanwhile. */
export function followTheme(window: Window, root: HTMLElement): void {
  // It may have been chosen between the first paint and now.
  applyStoredTheme(root);
  window.addEventListener('pageshow', () => applyStoredTheme(root));
  window.addEventListener('storage', ({ key }) => {
    // Without a key everything has been forgotten.
    if (key !== THEME_KEY && key !== null) return;
    delete root.dataset.theme;
    applyStoredTheme(root);
  });
}

/** Changes to the other theme and remembers it. */
export function toggleTheme(root: HTMLElement, prefersLight: boolean): Theme {
  const theme = currentTheme(root, prefersLight) === 'dark' ? 'light' : 'dark';
  root.dataset.theme = theme;
  writeStored(THEME_KEY, theme);
  return theme;
}
