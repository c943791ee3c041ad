import { beforeEach, expect, test } from 'vitest';
import { applyDismissal, dismiss } from './dismissal';

beforeEach(() => localStorage.clear());

test('a dismissed announcement stays away until its id changes', () => {
  const first = document.createElement('html');
  applyDismissal(first, 'a');
  expect(first.dataset.announcement).toBeUndefined();

  dismiss(first, 'a');
  expect(first.dataset.announcement).toBe('dismissed');

  const second = document.createElement('html');
  applyDismissal(second, 'a');
  expect(second.dataset.announcement).toBe('dismissed');

  const third = document.createElement('html');
  applyDismissal(third, 'b');
  expect(third.dataset.announcement).toBeUndefined();
});
