import { beforeEach, expect, test } from 'vitest';
import { showTabsAround } from '../../shared/lib/tabSets';
import { chooseTab, prepareTabs } from './tabs';

const set = (id: string, group: string | null, names: string[]) => `
  <div class="tabs" ${group === null ? '' : `data-group="${group}"`}>
    <div role="tablist">${names
      .map(
        (name, index) =>
          `<button role="tab" id="${id}-${name}" aria-controls="${id}-${name}-p" aria-selected="${index === 0}" data-tab="${name}">${name}</button>`,
      )
      .join('')}</div>
    ${names.map((name) => `<section class="tab" id="${id}-${name}-p">${name}</section>`).join('')}
  </div>`;

beforeEach(() => {
  localStorage.clear();
  history.replaceState({ key: 'kept' }, '', '/page?a=1#part');
  document.body.innerHTML =
    set('one', 'os', ['linux', 'macos']) +
    set('two', 'os', ['linux', 'macos', 'windows']) +
    set('three', 'other', ['linux', 'macos']) +
    set('four', null, ['linux', 'macos']);
});

const tab = (id: string) => document.getElementById(id) as HTMLElement;
function chosen(): string[] {
  return [...document.querySelectorAll('[aria-selected=true]')].map(({ id }) => id);
}
function hidden(): string[] {
  return [...document.querySelectorAll('[data-off]')].map(({ id }) => id.replace(/-p$/, ''));
}
function press(id: string, key?: string): Event {
  const event = key
    ? new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    : new MouseEvent('click', { bubbles: true });
  tab(id).addEventListener(event.type, chooseTab, { once: true });
  tab(id).dispatchEvent(event);
  return event;
}

test('a press shows the tab in every set of its group', () => {
  press('one-macos');
  expect(chosen()).toEqual(['one-macos', 'two-macos', 'three-linux', 'four-linux']);
  expect(hidden()).toEqual(['one-linux', 'two-linux', 'two-windows']);
  expect(document.activeElement).toBe(tab('one-macos'));
  expect(tab('one-linux').tabIndex).toBe(-1);
});

test('a set without that tab keeps its own', () => {
  press('two-windows');
  expect(chosen().slice(0, 2)).toEqual(['one-linux', 'two-windows']);
});

test('the choice is in the address, and what else is there stays', () => {
  press('one-macos');
  expect(location.pathname + location.search + location.hash).toBe('/page?a=1&os=macos#part');
  expect(history.state).toEqual({ key: 'kept' });
});

test('what stands in a tab is shown in every set of the group, and nothing is remembered', () => {
  const inner = document.createElement('p');
  const nested = document.createElement('div');
  nested.innerHTML = set('five', null, ['a', 'b']).replaceAll('<section', '<section data-tab="b"');
  nested.querySelector('#five-b-p')?.append(inner);
  for (const id of ['one', 'four']) {
    const panel = document.getElementById(`${id}-macos-p`) as HTMLElement;
    panel.dataset.tab = 'macos';
    panel.append(nested);
    showTabsAround(inner);
  }
  expect(chosen()).toEqual(['one-macos', 'two-macos', 'three-linux', 'four-macos', 'five-b']);
  expect(hidden()).toEqual(['one-linux', 'two-linux', 'two-windows', 'four-linux', 'five-a']);
  expect(localStorage).toHaveLength(0);
  expect(location.search).toBe('?a=1');
});

test('a set without a group changes nothing but itself', () => {
  press('four-macos');
  expect(chosen()).toEqual(['one-linux', 'two-linux', 'three-linux', 'four-macos']);
  expect(location.search).toBe('?a=1');
  expect(localStorage).toHaveLength(0);
});

test('the next page shows what was chosen, unless its address says otherwise', () => {
  press('one-macos');
  const next = set('next', 'os', ['linux', 'macos', 'windows']);
  document.body.innerHTML = next;
  history.replaceState(null, '', '/next');
  prepareTabs();
  expect(chosen()).toEqual(['next-macos']);
  document.body.innerHTML = next;
  history.replaceState(null, '', '/next?os=windows');
  prepareTabs();
  expect(chosen()).toEqual(['next-windows']);
  document.body.innerHTML = next;
  history.replaceState(null, '', '/next?os=beos');
  prepareTabs();
  expect(chosen()).toEqual(['next-macos']);
});

test.each([
  ['ArrowRight', 'two-macos'],
  ['ArrowLeft', 'two-windows'],
  ['End', 'two-windows'],
  ['Home', 'two-linux'],
])('%s goes on from the first tab', (key, expected) => {
  expect(press('two-linux', key).defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(tab(expected));
  expect(chosen()).toContain(expected);
});

test('other keys are left alone', () => {
  expect(press('two-linux', 'ArrowDown').defaultPrevented).toBe(false);
  expect(chosen()).toContain('two-linux');
});
