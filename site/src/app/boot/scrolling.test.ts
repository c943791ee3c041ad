import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followScrolling } from './scrolling';

let at = 0;
const root = document.documentElement;

beforeEach(() => {
  vi.useFakeTimers();
  delete root.dataset.scroll;
  document.body.innerHTML = '<a href="#part">part</a>';
  at = 0;
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => at);
  vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(800);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  history.replaceState(null, '', '/');
});

function scrollTo(...places: number[]): void {
  for (const place of places) {
    at = place;
    window.dispatchEvent(new Event('scroll'));
  }
}

test('it tells down from up, and near the top neither', () => {
  followScrolling(window);
  scrollTo(50);
  expect(root.dataset.scroll).toBeUndefined();
  scrollTo(400);
  expect(root.dataset.scroll).toBe('down');
  scrollTo(2000, 1900);
  expect(root.dataset.scroll).toBe('up');
  scrollTo(1901);
  expect(root.dataset.scroll).toBe('up');
  scrollTo(500);
  expect(root.dataset.scroll).toBeUndefined();
});

test('the way to an anchor is no scrolling, what comes after it is', () => {
  followScrolling(window);
  document.querySelector('a')?.click();
  scrollTo(300, 900, 1500);
  expect(root.dataset.scroll).toBeUndefined();
  vi.advanceTimersByTime(200);
  scrollTo(1600);
  expect(root.dataset.scroll).toBe('down');
});

test('neither is the way to where another address leads', () => {
  followScrolling(window);
  history.pushState(null, '', '/other#hit');
  scrollTo(900);
  vi.advanceTimersByTime(100);
  scrollTo(1500);
  expect(root.dataset.scroll).toBeUndefined();
});
