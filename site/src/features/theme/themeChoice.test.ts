import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyStoredTheme, currentTheme, THEME_KEY, toggleTheme } from './themeChoice';

let root: HTMLElement;

beforeEach(() => {
  root = document.createElement('html');
  localStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

test('without a stored choice the style sheet is left to follow the system', () => {
  applyStoredTheme(root);
  expect(root.dataset.theme).toBeUndefined();
  expect(currentTheme(root, true)).toBe('light');
  expect(currentTheme(root, false)).toBe('dark');
});

test('a choice is kept for the next page and wins over the system', () => {
  expect(toggleTheme(root, true)).toBe('dark');
  const next = document.createElement('html');
  applyStoredTheme(next);
  expect(currentTheme(next, true)).toBe('dark');
});

test('toggling twice comes back', () => {
  toggleTheme(root, false);
  expect(toggleTheme(root, false)).toBe('dark');
});

test('a stored value that is no theme is ignored', () => {
  localStorage.setItem(THEME_KEY, 'sepia');
  applyStoredTheme(root);
  expect(root.dataset.theme).toBeUndefined();
});

test('blocked storage costs the memory, not the toggle', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
    setItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
  applyStoredTheme(root);
  expect(toggleTheme(root, false)).toBe('light');
  expect(root.dataset.theme).toBe('light');
});
