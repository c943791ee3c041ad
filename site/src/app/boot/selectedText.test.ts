import { expect, test, vi } from 'vitest';
import { selectedText } from './selectedText';

function selecting(text: string): string {
  vi.spyOn(window, 'getSelection').mockReturnValue({ toString: () => text } as Selection);
  return selectedText(window);
}

test.each([
  ['nDCG', 'nDCG'],
  [' two\n   words ', 'two words'],
  ['', ''],
  [`${'word '.repeat(20)}`, 'word '.repeat(13).trim()],
  ['x'.repeat(100), ''],
])('%j searches for %j', (selected, query) => {
  expect(selecting(selected)).toBe(query);
});

test('what is selected in a field is no query', () => {
  document.body.innerHTML = '<input value="secret">';
  document.querySelector('input')?.focus();
  expect(selecting('secret')).toBe('');
});
