import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyStoredTheme, currentTheme, followTheme, THEME_KEY, toggleTheme } from './themeChoice';

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

describe('another tab', () => {
  let window: Window;
  const dispatch = (key: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key }));
  beforeEach(() => {
    window = new EventTarget() as Window;
  });

  test('what is chosen there is shown here, and what is forgotten there is no choice', () => {
    followTheme(window, root);
    localStorage.setItem(THEME_KEY, 'light');
    dispatch('siftwren.version');
    expect(root.dataset.theme).toBeUndefined();
    dispatch(THEME_KEY);
    expect(root.dataset.theme).toBe('light');
    localStorage.setItem(THEME_KEY, 'dark');
    dispatch(THEME_KEY);
    expect(root.dataset.theme).toBe('dark');
    localStorage.clear();
    dispatch(null);
    expect(root.dataset.theme).toBeUndefined();
  });

  test('a page that nobody told of it shows it when it is there and when it comes back', () => {
    applyStoredTheme(root);
    localStorage.setItem(THEME_KEY, 'light');
    followTheme(window, root);
    expect(root.dataset.theme).toBe('light');
    localStorage.setItem(THEME_KEY, 'dark');
    window.dispatchEvent(new Event('pageshow'));
    expect(root.dataset.theme).toBe('dark');
  });

  test('a choice that could not be kept stays', () => {
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
    followTheme(window, root);
    toggleTheme(root, false);
    window.dispatchEvent(new Event('pageshow'));
    expect(root.dataset.theme).toBe('light');
  });
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
