import { beforeEach, expect, test, vi } from 'vitest';
import { showToast } from './toast';

beforeEach(() => document.body.replaceChildren());

const toast = () => document.querySelector('[role=status]');
const button = (label: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label);

test('a message takes the place of the one before, and has its action', () => {
  showToast(document, 'One', null);
  const perform = vi.fn();
  showToast(document, 'Two', { label: 'Update', perform });
  expect(document.querySelectorAll('[role=status]')).toHaveLength(1);
  expect(toast()?.textContent).toBe('TwoUpdateLater');
  button('Update')?.click();
  expect(perform).toHaveBeenCalledOnce();
  button('Later')?.click();
  expect(toast()).toBeNull();
});

test('whoever pressed a button of it is on a button of the next one, nobody else is moved', () => {
  showToast(document, 'One', { label: 'Go', perform: () => showToast(document, 'Two', null) });
  const other = document.createElement('button');
  document.body.append(other);
  other.focus();
  button('Go')?.click();
  expect(document.activeElement).toBe(other);
  button('Close')?.focus();
  showToast(document, 'Three', null);
  expect(document.activeElement).toBe(button('Close'));
});
