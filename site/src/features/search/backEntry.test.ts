import { beforeEach, expect, test, vi } from 'vitest';
import { isOver, leaveOver, pushOver } from '../../shared/lib/overEntry';
import { createBackEntry } from './backEntry';

let states: unknown[];
let at: number;
let isNarrow: boolean;
let close: () => void;
let entry: ReturnType<typeof createBackEntry>;

/** What the browser is asked for, which it does later. */
let back: () => void;
const history = {
  get state() {
    return states[at];
  },
  pushState(state: unknown) {
    at += 1;
    states = [...states.slice(0, at), state];
  },
  back: () => back(),
} as unknown as History;

function go(step: number): void {
  at += step;
  page.dispatchEvent(new Event('popstate'));
}

let page: Window;

beforeEach(() => {
  states = [{ key: 'before' }, { key: 'here' }];
  at = 1;
  isNarrow = true;
  back = vi.fn();
  const target = new EventTarget();
  page = Object.assign(target, {
    document: window.document.implementation.createHTMLDocument(),
    history,
    matchMedia: () => ({ matches: isNarrow }),
  }) as unknown as Window;
  close = vi.fn();
  entry = createBackEntry(page, () => {
    close();
    entry.leave();
  });
});

test('on a wide screen the history is left alone', () => {
  isNarrow = false;
  entry.enter();
  entry.leave();
  expect(states).toHaveLength(2);
  expect(back).not.toHaveBeenCalled();
});

test('it has an entry like that of the page, and Back closes it, once', () => {
  entry.enter();
  expect(history.state).toEqual({ key: 'here', over: true });
  go(-1);
  go(-1);
  expect(close).toHaveBeenCalledTimes(1);
  expect(back).not.toHaveBeenCalled();
});

test('closed in another way it goes back; handed over it does not', () => {
  entry.enter();
  entry.leave();
  expect(back).toHaveBeenCalledTimes(1);
  go(-1);
  entry.enter();
  entry.handOver();
  entry.leave();
  expect(back).toHaveBeenCalledTimes(1);
  expect(close).not.toHaveBeenCalled();
});

test('the entry of an earlier time is taken again', () => {
  entry.enter();
  go(-1);
  go(1);
  entry.enter();
  expect(states).toHaveLength(3);
  go(-1);
  expect(close).toHaveBeenCalledTimes(2);
});

test('it waits for the entry of what was closed just now to go', () => {
  pushOver(history);
  leaveOver(page);
  entry.enter();
  go(-1);
  expect([isOver(history.state), at]).toEqual([true, 2]);
  expect(close).not.toHaveBeenCalled();
  go(-1);
  expect(close).toHaveBeenCalledTimes(1);
});
