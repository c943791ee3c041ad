/**
 * Starts the search worker. Under `require-trusted-types-for 'script'` a worker's address must come
 * from a policy; ours lets only addresses of this site pass.
 */
import { openPort, type PortEvents, type SearchPort } from './searchPort';
import workerUrl from './searchWorker?worker&url';
import { createScriptUrlPolicy } from './trustedScriptUrl';

const toWorkerUrl = createScriptUrlPolicy('siftwren-worker');

export function startSearchWorker(events: PortEvents): SearchPort {
  return openPort(new Worker(toWorkerUrl(workerUrl), { type: 'module', name: 'search' }), events);
}
