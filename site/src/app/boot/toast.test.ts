import { expect, test } from 'vitest';
import { showToast } from './toast';

test('a message takes the place of the one before, and of nothing in the page', () => {
  document.body.innerHTML = '<h2 id="toast">Toast</h2>';
  showToast(document, 'First', 'Close');
  showToast(document, 'Second', 'Close');
  const messages = [...document.querySelectorAll('[role=status] p')];
  expect(messages.map(({ textContent }) => textContent)).toEqual(['Second']);
  expect(document.getElementById('toast')?.textContent).toBe('Toast');
});

test('a message is closed by its button, and may ask for something', () => {
  let isDone = false;
  const perform = () => {
    isDone = true;
  };
  showToast(document, 'Neu', 'Später', { label: 'Ansehen', perform });
  const buttons = [...document.querySelectorAll<HTMLElement>('[role=status] button')];
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Ansehen', 'Später']);
  buttons[0]?.click();
  expect(isDone).toBe(true);
  buttons[1]?.click();
  expect(document.querySelector('[role=status]')).toBeNull();
});
