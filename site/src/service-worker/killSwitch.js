// The worker that ends all workers: published as sw.js, it takes over at once, removes what earlier
// versions stored, removes itself, and loads the open pages from the server.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      // Others on the same origin may have caches of their own; ours are named after the scope.
      for (const name of await caches.keys()) {
        if (name.endsWith(self.registration.scope)) await caches.delete(name);
      }
      await self.registration.unregister();
      for (const client of await self.clients.matchAll({ type: 'window' })) {
        await client.navigate(client.url);
      }
    })(),
  ),
);
