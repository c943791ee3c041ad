import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { registerServiceWorker, type Update } from './registration';

/** A worker that does what the test says, and remembers what it was told. */
class Worker extends EventTarget {
  state = 'installed';
  readonly heard: unknown[] = [];

  postMessage(message: unknown): void {
    this.heard.push(message);
  }

  become(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function announced(waiting: Worker, session = new Map<string, string>()) {
  const registration = Object.assign(new EventTarget(), {
    waiting: waiting as Worker | null,
    installing: null,
    update: () => Promise.resolve(),
  });
  const active = new Worker();
  const serviceWorker = Object.assign(new EventTarget(), {
    controller: {},
    ready: Promise.resolve({ active }),
    register: () => Promise.resolve(registration),
  });
  const reload = vi.fn();
  const browser = {
    navigator: { serviceWorker },
    location: { reload },
    sessionStorage: {
      getItem: (key: string) => session.get(key) ?? null,
      setItem: (key: string, value: string) => session.set(key, value),
      removeItem: (key: string) => session.delete(key),
    },
    setTimeout: globalThis.setTimeout,
  };
  const updates: Update[] = [];
  await registerServiceWorker(browser as unknown as Window, '/sw.js', {
    update: (update) => updates.push(update),
    stored: () => undefined,
  });
  return { registration, reload, active, update: updates[0] as Update };
}

/** Until the page has nothing on its way any more. */
const quiet = () => vi.advanceTimersByTimeAsync(1_000);

test('the page is loaded anew when the version that was waiting has taken over', async () => {
  const waiting = new Worker();
  const { update, reload } = await announced(waiting);
  update.accept();
  await quiet();
  expect(waiting.heard).toEqual(['siftwren:accept']);
  waiting.become('activating');
  expect(reload).not.toHaveBeenCalled();
  waiting.become('activated');
  expect(reload).toHaveBeenCalledOnce();
});

test('a version that a newer one replaces before it heard hands the agreement on', async () => {
  const [waiting, newer] = [new Worker(), new Worker()];
  const { update, reload, registration } = await announced(waiting);
  update.accept();
  await quiet();
  registration.waiting = newer;
  waiting.become('redundant');
  expect(newer.heard).toEqual(['siftwren:accept']);
  newer.become('activated');
  expect(reload).toHaveBeenCalledOnce();
});

test('where another tab has accepted already, the page is only loaded anew', async () => {
  const { update, reload, registration } = await announced(new Worker());
  registration.waiting = null;
  update.accept();
  await quiet();
  expect(reload).toHaveBeenCalledOnce();
});

test('a reader who agrees more than once has agreed', async () => {
  const waiting = new Worker();
  const { update } = await announced(waiting);
  update.accept();
  update.accept();
  await quiet();
  expect(waiting.heard).toEqual(['siftwren:accept']);
});

test('the old version hears nothing more once the new one is agreed to', async () => {
  const { update, active } = await announced(new Worker());
  update.accept();
  await vi.advanceTimersByTimeAsync(2_500);
  expect(active.heard).toEqual([]);
});

test('where the browser takes too long, a page that is loaded anew goes on with it', async () => {
  const session = new Map<string, string>();
  const first = await announced(new Worker(), session);
  first.update.accept();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(first.reload).toHaveBeenCalledOnce();

  const waiting = new Worker();
  const second = await announced(waiting, session);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(second.update).toBeUndefined();
  expect(second.active.heard).toEqual([]);
  expect(second.reload).not.toHaveBeenCalled();
  waiting.become('activated');
  expect(second.reload).toHaveBeenCalledOnce();

  const third = await announced(new Worker(), session);
  expect(third.update).toBeDefined();
});
