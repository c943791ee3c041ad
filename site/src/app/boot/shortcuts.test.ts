import { expect, test } from 'vitest';
import { isSearchShortcut } from './shortcuts';

function press(init: KeyboardEventInit & { on?: Element }): boolean {
  const target = init.on ?? document.body;
  let answer = false;
  target.addEventListener('keydown', (event) => {
    answer = isSearchShortcut(event as KeyboardEvent);
  });
  target.dispatchEvent(new KeyboardEvent('keydown', init));
  return answer;
}

test.each([
  [{ key: 'k', ctrlKey: true }, true],
  [{ key: 'K', metaKey: true }, true],
  [{ key: 'k', ctrlKey: true, shiftKey: true }, false],
  [{ key: 'k' }, false],
  [{ key: '/' }, true],
  [{ key: '/', altKey: true }, false],
  [{ key: '/', ctrlKey: true }, false],
  [{ key: '/', keyCode: 229 }, false],
])('%j opens the search: %s', (init, expected) => {
  expect(press(init)).toBe(expected);
});

test.each(['input', 'textarea', 'select'])('a slash typed into a %s is a slash', (tag) => {
  expect(press({ key: '/', on: document.createElement(tag) })).toBe(false);
  expect(press({ key: 'k', ctrlKey: true, on: document.createElement(tag) })).toBe(true);
});
