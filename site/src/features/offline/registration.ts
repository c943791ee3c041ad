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

/**
 * Chromium lets a new version take over when the one before is idle. Where an event of that one falls
 * into the moment of the agreement, it looks again after half a minute, or, with developer tools open,
 * after five. So what the page has on its way when the reader agrees gets this time to end.
 */
const QUIET_MS = 1000;

/** Longer than it takes. A page that is loaded anew then is what makes the browser look again. */
const TAKEOVER_TIMEOUT_MS = 3000;

/** In the session's storage: the page before this one has been loaded anew for want of patience. */
const AGREED = 'siftwren-update-agreed';

/** `scriptUrl` is a trusted script URL where the browser asks for one. */
export async function registerServiceWorker(
  window: Window,
  scriptUrl: string,
  events: OfflineEvents,
): Promise<void> {
  const { serviceWorker } = window.navigator;
  const registration = await serviceWorker.register(scriptUrl, { updateViaCache: 'none' });
  let isAgreed = isRemembered(window);
  /** The version that was told of it, and the last one that is ready. */
  let agreed: ServiceWorker | null = null;
  let ready: ServiceWorker | null = null;

  function announce(): void {
    // Without a controller this is the first version, which replaces nothing.
    if (!serviceWorker.controller) return;
    events.update({ accept });
  }

  function accept(): void {
    if (isAgreed) return;
    isAgreed = true;
    say(registration.active, 'siftwren:stop');
    window.setTimeout(() => {
      takeOver();
      window.setTimeout(() => {
        remember(window);
        window.location.reload();
      }, TAKEOVER_TIMEOUT_MS);
    }, QUIET_MS);
  }

  function takeOver(): void {
    // Not the one that was announced: a newer build or another tab may have come between.
    const { waiting } = registration;
    if (waiting) agree(waiting);
    else window.location.reload();
  }

  function agree(worker: ServiceWorker): void {
    agreed = worker;
    worker.addEventListener('statechange', settle);
    say(worker, 'siftwren:accept');
    // What it has become already, no event tells.
    settle();
  }

  function settle(): void {
    const isGone = agreed?.state === 'redundant' && !handOn() && !registration.installing;
    if (isGone || agreed?.state === 'activated') window.location.reload();
  }

  /**
   * A newer version may take the place of the one that was agreed to before that one hears. Browsers
   * tell of both in any order, and only later whom the registration names as waiting.
   */
  function handOn(): boolean {
    const isReplaced = agreed?.state === 'redundant' && ready?.state === 'installed';
    if (isReplaced && ready) agree(ready);
    return isReplaced;
  }

  function watch(): void {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state !== 'installed') return;
      ready = installing;
      if (!handOn()) announce();
    });
  }

  if (isAgreed) takeOver();
  // The browser may have found a new version before this script came.
  else if (registration.waiting) announce();
  watch();
  registration.addEventListener('updatefound', watch);
  // When browsers look by themselves is theirs to say, and after failed updates they may not for long.
  // Without a network there is nothing new.
  registration.update().catch(() => undefined);

  listen(serviceWorker, events);
  const { active } = await serviceWorker.ready;
  window.setTimeout(() => {
    if (!isAgreed) say(active, 'siftwren:store');
  }, STORE_DELAY_MS);
}

/** Where it may not be used, there is no worker either. */
function remember({ sessionStorage }: Window): void {
  sessionStorage.setItem(AGREED, '');
}

/** Once. */
function isRemembered({ sessionStorage }: Window): boolean {
  const isThere = sessionStorage.getItem(AGREED) !== null;
  sessionStorage.removeItem(AGREED);
  return isThere;
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
