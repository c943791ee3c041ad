import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StoredState } from './messages';
import { askWhatIsStored, registerServiceWorker, type Update } from './registration';

/** A worker that does what the test says, and remembers what it was told. */
class Worker extends EventTarget {
  readonly heard: unknown[] = [];
  state: string;

  constructor(state = 'installed') {
    super();
    this.state = state;
  }

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

/** Until an agreement is told: what the page has on its way ends before. */
const quiet = () => vi.advanceTimersByTime(1_000);

interface Workers {
  readonly active?: Worker | null;
  readonly waiting?: Worker | null;
  readonly installing?: Worker | null;
  /** What the tab remembers. */
  readonly session?: Map<string, string>;
}

/** A page whose worker has been registered. */
async function registered({ active = new Worker('activated'), ...others }: Workers) {
  const { session = new Map<string, string>() } = others;
  const registration = Object.assign(new EventTarget(), {
    active,
    waiting: others.waiting ?? null,
    installing: others.installing ?? null,
    update: vi.fn(() => Promise.reject(new Error('no network'))),
  });
  const serviceWorker = Object.assign(new EventTarget(), {
    controller: active,
    ready: Promise.resolve({ active }),
    register: vi.fn(() => Promise.resolve(registration)),
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
  const states: StoredState[] = [];
  await registerServiceWorker(browser as unknown as Window, '/sw.js', {
    update: (update) => updates.push(update),
    stored: (state) => states.push(state),
  });
  const find = (worker: Worker) => {
    registration.installing = worker;
    registration.dispatchEvent(new Event('updatefound'));
  };
  return { registration, serviceWorker, active, reload, updates, states, find };
}

test('the page is loaded anew when the version that was waiting has taken over', async () => {
  const waiting = new Worker();
  const { updates, reload } = await registered({ waiting });
  expect(updates).toHaveLength(1);
  updates[0]?.accept();
  quiet();
  expect(waiting.heard).toEqual(['siftwren:accept']);
  waiting.become('activating');
  expect(reload).not.toHaveBeenCalled();
  waiting.become('activated');
  expect(reload).toHaveBeenCalledOnce();
});

describe('a newer version that is ready while the reader agrees', () => {
  async function agreed() {
    const [waiting, newer] = [new Worker(), new Worker('installing')];
    const page = await registered({ waiting, installing: newer });
    page.updates[0]?.accept();
    quiet();
    return { ...page, waiting, newer };
  }

  test.each([
    ['after the one before has gone', ['waiting', 'newer']],
    ['before the one before has gone', ['newer', 'waiting']],
  ])('gets the agreement where it takes the place, if it is ready %s', async (_, order) => {
    const { waiting, newer, reload } = await agreed();
    for (const each of order) {
      if (each === 'waiting') waiting.become('redundant');
      else newer.become('installed');
    }
    expect(newer.heard).toEqual(['siftwren:accept']);
    expect(reload).not.toHaveBeenCalled();
    newer.become('activated');
    expect(reload).toHaveBeenCalledOnce();
  });

  test('gets the agreement where the registration still names the one that has gone', async () => {
    const [gone, newer] = [new Worker(), new Worker('installing')];
    const { updates, reload } = await registered({ waiting: gone, installing: newer });
    gone.become('redundant');
    newer.become('installed');
    updates[1]?.accept();
    quiet();
    expect(newer.heard).toEqual(['siftwren:accept']);
    newer.become('activated');
    expect(reload).toHaveBeenCalledOnce();
  });

  test('is announced where the one agreed to takes over', async () => {
    const { waiting, newer, reload, updates } = await agreed();
    waiting.become('activating');
    newer.become('installed');
    expect(newer.heard).toEqual([]);
    expect(updates).toHaveLength(2);
    waiting.become('activated');
    expect(newer.heard).toEqual([]);
    expect(reload).toHaveBeenCalledOnce();
  });
});

test.each([
  ['has taken over', 'activated'],
  ['has gone, and none came after it', 'redundant'],
])('a version that %s before the reader agrees: the page is loaded anew', async (_, state) => {
  const waiting = new Worker();
  const { updates, reload } = await registered({ waiting });
  waiting.become(state);
  updates[0]?.accept();
  quiet();
  expect(reload).toHaveBeenCalledOnce();
});

test('a reader who agrees more than once has agreed', async () => {
  const waiting = new Worker();
  const { updates } = await registered({ waiting });
  updates[0]?.accept();
  updates[0]?.accept();
  quiet();
  expect(waiting.heard).toEqual(['siftwren:accept']);
});

test('the version in use stops storing before the new one hears, and hears nothing more', async () => {
  const waiting = new Worker();
  const { updates, active } = await registered({ waiting });
  updates[0]?.accept();
  expect(active?.heard).toEqual(['siftwren:stop']);
  vi.advanceTimersByTime(900);
  expect(waiting.heard).toEqual([]);
  vi.advanceTimersByTime(1_600);
  expect(waiting.heard).toEqual(['siftwren:accept']);
  expect(active?.heard).toEqual(['siftwren:stop']);
});

test('where the browser takes too long, a page that is loaded anew goes on with it', async () => {
  const session = new Map<string, string>();
  const first = await registered({ waiting: new Worker(), session });
  first.updates[0]?.accept();
  vi.advanceTimersByTime(4_000);
  expect(first.reload).toHaveBeenCalledOnce();

  const waiting = new Worker();
  const second = await registered({ waiting, session });
  vi.advanceTimersByTime(10_000);
  expect(second.updates).toEqual([]);
  expect(second.active?.heard).toEqual([]);
  expect(waiting.heard).toEqual(['siftwren:accept']);
  expect(second.reload).not.toHaveBeenCalled();
  waiting.become('activated');
  expect(second.reload).toHaveBeenCalledOnce();

  const third = await registered({ waiting: new Worker(), session });
  expect(third.updates).toHaveLength(1);
});

test('where another tab has accepted already, the page is only loaded anew', async () => {
  const installing = new Worker('installing');
  const { updates, reload, registration } = await registered({ waiting: new Worker(), installing });
  registration.waiting = null;
  updates[0]?.accept();
  quiet();
  expect(reload).toHaveBeenCalledOnce();
  expect(installing.heard).toEqual([]);
});

test('a version that is found while the page is open is announced once it waits', async () => {
  const { updates, find, registration } = await registered({});
  const found = new Worker('installing');
  find(found);
  expect(updates).toHaveLength(0);
  found.become('installed');
  expect(updates).toHaveLength(1);
  expect(found.heard).toEqual([]);
  registration.waiting = found;
  updates[0]?.accept();
  quiet();
  expect(found.heard).toEqual(['siftwren:accept']);
});

test('the first version replaces nothing, and is not announced', async () => {
  const first = new Worker('installing');
  const { updates } = await registered({ active: null, installing: first });
  first.become('installed');
  expect(updates).toHaveLength(0);
});

test('a new version is looked for, and the site stored once the page has what it needs', async () => {
  const active = new Worker('activated');
  const { registration, serviceWorker } = await registered({ active });
  expect(serviceWorker.register).toHaveBeenCalledWith('/sw.js', { updateViaCache: 'none' });
  expect(registration.update).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(500);
  expect(active.heard).toEqual([]);
  vi.advanceTimersByTime(2_500);
  expect(active.heard).toEqual(['siftwren:store']);
});

test('what the worker says is stored is passed on, what others say is not', async () => {
  const { serviceWorker, states } = await registered({});
  for (const data of [{ siftwrenStored: 'stored' }, { siftwrenStored: 'x' }, 'stored', null]) {
    serviceWorker.dispatchEvent(new MessageEvent('message', { data }));
  }
  expect(states).toEqual(['stored']);
});

test('where nothing may be fetched, the worker is only asked what is there', () => {
  const controller = new Worker('activated');
  const serviceWorker = Object.assign(new EventTarget(), { controller });
  const stored = vi.fn();
  askWhatIsStored(serviceWorker as unknown as ServiceWorkerContainer, { stored, update: vi.fn() });
  expect(controller.heard).toEqual(['siftwren:state']);
  serviceWorker.dispatchEvent(new MessageEvent('message', { data: { siftwrenStored: 'full' } }));
  expect(stored).toHaveBeenCalledWith('full');
});
