/** The module worker in which wasm-core ranks and maps, so that typing never waits for it. */
import * as core from 'wasm-core';
import { createSearchHandler } from './searchHandler';
import type { NumberedRequest, SearchReply } from './searchProtocol';

const handle = createSearchHandler(core);

self.addEventListener('message', (event: MessageEvent<NumberedRequest>) => {
  const reply: SearchReply = handle(event.data);
  // In a worker `postMessage` takes no target origin; the DOM library types it as a window's.
  self.postMessage(reply);
});
