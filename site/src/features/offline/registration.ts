/**
 * Registers the service worker, has it store the site, and tells when a new version of the site is
 * waiting. The new version takes over only when the reader agrees.
 */
import { type ClientMessage, type StoredState, storedState } from './messages';

export interface Update {
  /** Lets the waiting version take over and reloads the page. */
  accept(): void;
}

export interface OfflineEvents {
  update(update: Update): void;
  stored(state: StoredState): void;
}

/** Until the page itself has all that it needs. */
const STORE_DELAY_MS = 2000;

/** `scriptUrl` is a trusted script URL where the browser asks for one. */
export async function registerServiceWorker(
  window: Window,
  scriptUrl: string,
  events: OfflineEvents,
): Promise<void> {
  const { serviceWorker } = window.navigator;
  const registration = await serviceWorker.register(scriptUrl, { updateViaCache: 'none' });

  function announce(): void {
    // Without a controller this is the first version, which replaces nothing.
    if (!serviceWorker.controller) return;
    events.update({ accept });
  }

  function accept(): void {
    // Not the one that was announced: a newer build or another tab may have come between.
    const { waiting } = registration;
    if (!waiting) {
      window.location.reload();
      return;
    }
    waiting.addEventListener('statechange', () => {
      // It has taken over, or a newer build has taken its place before it heard.
      if (waiting.state === 'activated') window.location.reload();
      else if (waiting.state === 'redundant') accept();
    });
    say(waiting, 'siftwren:accept');
  }

  function watch(): void {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') announce();
    });
  }

  // The browser may have found a new version before this script came.
  if (registration.waiting) announce();
  watch();
  registration.addEventListener('updatefound', watch);
  // When browsers look by themselves is theirs to say, and after failed updates they may not for long.
  // Without a network there is nothing new.
  registration.update().catch(() => undefined);

  listen(serviceWorker, events);
  const { active } = await serviceWorker.ready;
  window.setTimeout(() => say(active, 'siftwren:store'), STORE_DELAY_MS);
}

/** On a connection on which nothing is fetched that nobody asked for. */
export function askWhatIsStored(
  serviceWorker: ServiceWorkerContainer,
  events: OfflineEvents,
): void {
  listen(serviceWorker, events);
  say(serviceWorker.controller, 'siftwren:state');
}

function listen(serviceWorker: ServiceWorkerContainer, { stored }: OfflineEvents): void {
  serviceWorker.addEventListener('message', (event) => {
    const state = storedState(event.data);
    if (state !== null) stored(state);
  });
}

function say(worker: ServiceWorker | null, message: ClientMessage): void {
  worker?.postMessage(message);
}
