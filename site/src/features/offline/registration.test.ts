import { expect, test, vi } from 'vitest';
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

async function announced(waiting: Worker) {
  const registration = Object.assign(new EventTarget(), {
    waiting: waiting as Worker | null,
    installing: null,
    update: () => Promise.resolve(),
  });
  const serviceWorker = Object.assign(new EventTarget(), {
    controller: {},
    ready: Promise.resolve({ active: null }),
    register: () => Promise.resolve(registration),
  });
  const reload = vi.fn();
  const browser = { navigator: { serviceWorker }, location: { reload }, setTimeout: () => 0 };
  const updates: Update[] = [];
  await registerServiceWorker(browser as unknown as Window, '/sw.js', {
    update: (update) => updates.push(update),
    stored: () => undefined,
  });
  return { registration, reload, update: updates[0] as Update };
}

test('the page is loaded anew when the version that was waiting has taken over', async () => {
  const waiting = new Worker();
  const { update, reload } = await announced(waiting);
  update.accept();
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
  expect(reload).toHaveBeenCalledOnce();
});
