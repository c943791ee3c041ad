/**
 * Registers the service worker and tells when a new version of the site is waiting. The new
 * version takes over only when the reader agrees.
 */
import { ACCEPT_MESSAGE } from './messages';

export interface Update {
  /** Lets the waiting version take over and reloads the page. */
  accept(): void;
}

/** `scriptUrl` is a trusted script URL where the browser asks for one. */
export async function registerServiceWorker(
  window: Window,
  scriptUrl: string,
  onUpdate: (update: Update) => void,
): Promise<void> {
  const { serviceWorker } = window.navigator;
  const registration = await serviceWorker.register(scriptUrl, { updateViaCache: 'none' });

  function announce(waiting: ServiceWorker): void {
    // Without a controller this is the first version, which replaces nothing.
    if (!serviceWorker.controller) return;
    onUpdate({
      accept() {
        serviceWorker.addEventListener('controllerchange', () => window.location.reload(), {
          once: true,
        });
        waiting.postMessage(ACCEPT_MESSAGE);
      },
    });
  }

  if (registration.waiting) announce(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const installing = registration.installing;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') announce(installing);
    });
  });
}
