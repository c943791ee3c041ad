import { afterEach, expect, test, vi } from 'vitest';
import type { Application } from '../client';
import { createApplicationLoader } from './application';

afterEach(() => vi.useRealTimers());

function setUp() {
  // Of its own, so that a search that never opens does not listen to the next test's keys.
  const document = window.document.implementation.createHTMLDocument();
  const opened: (string | null)[] = [];
  const consoles: HTMLElement[] = [];
  /** The search itself arrives a little later than the application. */
  let arrive = () => {};
  const application: Application = {
    warmSearch: async () => {},
    openSearch: async (takeWish) => {
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const wish = takeWish();
      const [query, ...pressed] = wish ?? [];
      opened.push(wish && [query, ...pressed.map(({ key }) => key)].join(' '));
    },
    toggleConsole: async (button) => {
      consoles.push(button);
    },
  };
  const pending: { resolve: (app: Application) => void; reject: (error: Error) => void }[] = [];
  const load = vi.fn(
    () =>
      new Promise<Application>((resolve, reject) => {
        pending.push({ resolve, reject });
      }),
  );
  const failures: unknown[] = [];
  const waiting: boolean[] = [];
  const loader = createApplicationLoader(load, document, {
    waiting: (isWaiting) => waiting.push(isWaiting),
    failed: (error) => failures.push(error),
  });
  /** Returns whether the page may do something about the key. */
  const type = (key: string, init: KeyboardEventInit = {}) =>
    document.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true, ...init }));
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return {
    application,
    arrive: () => arrive(),
    consoles,
    document,
    failures,
    load,
    loader,
    opened,
    pending,
    settle,
    type,
    waiting,
  };
}

test('the application is loaded once, however often the reader shows intent', () => {
  const { load, loader } = setUp();
  loader.warm();
  loader.warm();
  loader.search('');
  expect(load).toHaveBeenCalledTimes(1);
});

test('what is pressed before the search is there is for the search, in order', async () => {
  const { application, arrive, loader, opened, pending, settle, type, waiting } = setUp();
  loader.search('n');
  for (const key of ['x', 'Backspace', 'd', 'ArrowDown', 'ArrowUp', '𐐀', 'Enter']) {
    expect([key, type(key)]).toEqual([key, false]);
  }
  expect(waiting).toEqual([true]);
  pending[0]?.resolve(application);
  await settle();
  type('Enter', { ctrlKey: true });
  arrive();
  await settle();
  expect(opened).toEqual(['n x Backspace d ArrowDown ArrowUp 𐐀 Enter Enter']);
  expect(waiting).toEqual([true, false]);
  expect(type('z')).toBe(true);
});

test.each<[string, KeyboardEventInit]>([
  ['c', { ctrlKey: true }],
  ['Enter', { keyCode: 229 }],
  ['Shift', {}],
  ['F5', {}],
  ['PageDown', {}],
])('%s %j is not for the search', async (key, init) => {
  const { application, arrive, loader, opened, pending, settle, type } = setUp();
  loader.search('');
  expect(type(key, init)).toBe(true);
  pending[0]?.resolve(application);
  await settle();
  arrive();
  await settle();
  expect(opened).toEqual(['']);
});

test.each([
  ['Escape', false],
  ['Tab', true],
])('%s before the search is there takes the wish back', async (key, isOfPage) => {
  const { application, arrive, loader, opened, pending, settle, type } = setUp();
  loader.search('');
  expect(type(key)).toBe(isOfPage);
  expect(type('Enter')).toBe(true);
  pending[0]?.resolve(application);
  await settle();
  arrive();
  await settle();
  expect(opened).toEqual([null]);
});

test('a failed load is told to who asked, and the next wish tries again', async () => {
  const { application, arrive, failures, load, loader, opened, pending, settle } = setUp();
  loader.warm();
  pending[0]?.reject(new Error('offline'));
  await settle();
  expect(failures).toEqual([]);

  loader.search('');
  pending[1]?.reject(new Error('offline'));
  await settle();
  expect(failures).toEqual([]);
  pending[2]?.reject(new Error('still offline'));
  await settle();
  expect(failures).toEqual([new Error('still offline')]);

  loader.search('recall');
  pending[3]?.resolve(application);
  await settle();
  arrive();
  await settle();
  expect(opened).toEqual(['recall']);
  expect(load).toHaveBeenCalledTimes(4);
});

test('what began before the wish and fails is tried again for it', async () => {
  const { application, arrive, failures, load, loader, opened, pending, settle } = setUp();
  loader.warm();
  loader.search('recall');
  expect(load).toHaveBeenCalledTimes(1);
  pending[0]?.reject(new Error('offline'));
  await settle();
  expect(failures).toEqual([]);
  pending[1]?.resolve(application);
  await settle();
  arrive();
  await settle();
  expect(opened).toEqual(['recall']);
});

test('a console that is asked for while the application is on its way opens once', async () => {
  const { application, consoles, document, loader, pending, settle } = setUp();
  const button = document.createElement('button');
  loader.console(button);
  loader.console(button);
  expect(button.ariaBusy).toBe('true');
  pending[0]?.resolve(application);
  await settle();
  expect(consoles).toEqual([button]);
  expect(button.ariaBusy).toBeNull();
});

test('a console that cannot be loaded is reported, and may be asked for again', async () => {
  const { failures, load, loader, pending, settle, document } = setUp();
  const button = document.createElement('button');
  loader.console(button);
  pending[0]?.reject(new Error('gone'));
  await settle();
  pending[1]?.reject(new Error('gone'));
  await settle();
  expect(failures).toHaveLength(1);
  loader.console(button);
  expect(load).toHaveBeenCalledTimes(3);
});

test('what does not come in half a minute is given up, and changes nothing when it comes', async () => {
  vi.useFakeTimers();
  const {
    application,
    arrive,
    consoles,
    document,
    failures,
    loader,
    opened,
    pending,
    type,
    waiting,
  } = setUp();
  const button = document.createElement('button');
  loader.search('');
  loader.console(button);
  type('a');
  await vi.advanceTimersByTimeAsync(29_000);
  expect([failures.length, type('b')]).toEqual([0, false]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(failures).toEqual([new Error('timeout'), new Error('timeout')]);
  expect([waiting, button.ariaBusy, type('c')]).toEqual([[true, false], null, true]);

  pending[0]?.resolve(application);
  await vi.advanceTimersByTimeAsync(0);
  expect(consoles).toEqual([]);
  loader.search('recall');
  await vi.advanceTimersByTimeAsync(0);
  arrive();
  await vi.advanceTimersByTimeAsync(0);
  expect(opened).toEqual(['recall']);
});
