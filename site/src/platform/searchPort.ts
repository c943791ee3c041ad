/** A worker seen from the client: requests go in, replies and crashes come out. */
import { isRecord } from './decode';
import type { NumberedRequest, SearchReply } from './searchProtocol';

export interface SearchPort {
  post(request: NumberedRequest): void;
  end(): void;
}

export interface PortEvents {
  onReply(reply: SearchReply): void;
  /** The worker could not be loaded, or something in it threw outside of a request. */
  onCrash(message: string): void;
}

export function openPort(worker: Worker, events: PortEvents): SearchPort {
  worker.addEventListener('message', (event: MessageEvent<unknown>) => {
    const reply = decodeReply(event.data);
    if (reply === null) {
      events.onCrash('the search worker sent something that is no reply');
    } else {
      events.onReply(reply);
    }
  });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    events.onCrash(event.message || 'the search worker could not be loaded');
  });
  worker.addEventListener('messageerror', () => {
    events.onCrash('a message of the search worker could not be read');
  });
  return {
    post: (request) => worker.postMessage(request),
    end: () => worker.terminate(),
  };
}

function decodeReply(data: unknown): SearchReply | null {
  if (!isRecord(data) || typeof data.id !== 'number') {
    return null;
  }
  const { id } = data;
  if (data.ok === true) {
    return { id, ok: true, value: data.value };
  }
  return {
    id,
    ok: false,
    code: typeof data.code === 'string' ? data.code : 'trap',
    message: typeof data.message === 'string' ? data.message : 'no message',
    fatal: data.fatal !== false,
  };
}
