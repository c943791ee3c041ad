import { beforeEach, expect, test } from 'vitest';
import { closeDropdowns } from './dropdowns';

closeDropdowns(document);

beforeEach(() => {
  document.body.innerHTML = `
    <details data-dropdown open><summary tabindex="0">Version</summary><a href="#a">Next</a></details>
    <details id="other" open><summary>More</summary></details><button>Elsewhere</button>`;
});

const dropdown = () => document.querySelector('[data-dropdown]') as HTMLDetailsElement;
const element = (selector: string) => document.querySelector(selector) as HTMLElement;

test.each([
  ['a press beside it', () => element('button').click()],
  ['an entry', () => element('a').click()],
  ['the focus that leaves it', () => element('button').focus()],
])('%s closes it', (_, act) => {
  act();
  expect(dropdown().open).toBe(false);
  expect((element('#other') as HTMLDetailsElement).open).toBe(true);
});

test('the focus within it leaves it open', () => {
  element('a').focus();
  expect(dropdown().open).toBe(true);
});

test('Escape closes it and gives the focus back', () => {
  element('a').focus();
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  expect(dropdown().open).toBe(false);
  expect(document.activeElement).toBe(element('summary'));
});
