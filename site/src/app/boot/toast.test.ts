import { expect, test } from 'vitest';
import { showToast } from './toast';

test('a message takes the place of the one before, and of nothing in the page', () => {
  document.body.innerHTML = '<h2 id="toast">Toast</h2>';
  showToast(document, 'First', null);
  showToast(document, 'Second', null);
  const messages = [...document.querySelectorAll('[role=status] p')];
  expect(messages.map(({ textContent }) => textContent)).toEqual(['Second']);
  expect(document.getElementById('toast')?.textContent).toBe('Toast');
});
