/**
 * A server that misbehaves, on real sockets: it resets connections, sends a byte a second, or answers
 * what nobody asked for. Where it is told nothing it hands the request on, so it can also stand between
 * the browser and a server that works.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What browsers want before they send a key to another origin, and before they show its answer. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type, x-api-key',
};

/** The connection breaks before a word is said. */
export const reset: Answer = (incoming) => incoming.socket.resetAndDestroy();

/** The request is taken, and nothing is said. */
export const silence: Answer = () => {};

export function text(body: string, contentType = 'application/json', status = 200): Answer {
  return (_, response) => {
    response.writeHead(status, { ...CORS, 'content-type': contentType }).end(body);
  };
}

export function json(body: unknown, status = 200): Answer {
  return text(JSON.stringify(body), 'application/json', status);
}

export const html = text('<!doctype html><title>Sign in</title><h1>Sign in</h1>', 'text/html');

/** The right answer, too late. */
export function late(milliseconds: number, answer: Answer): Answer {
  return (incoming, response) => {
    const timer = setTimeout(() => answer(incoming, response), milliseconds);
    response.on('close', () => clearTimeout(timer));
  };
}

/** A byte a second, of a body that would be right. */
export function trickle(body: string): Answer {
  return (_, response) => {
    response.writeHead(200, {
      ...CORS,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(body.slice(sent, sent + 1));
      sent += 1;
    }, 1_000);
    response.write(body.slice(sent, sent + 1));
    sent += 1;
    response.on('close', () => clearInterval(timer));
  };
}

/** The body ends before its announced length. */
export function cutShort(body: string): Answer {
  return (incoming, response) => {
    response.writeHead(200, { ...CORS, 'content-length': Buffer.byteLength(body) });
    response.write(body.slice(0, Math.floor(body.length / 2)), () => incoming.socket.destroy());
  };
}

export class FaultServer {
  /** Every request that came, as 'METHOD /path'. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #upstream: string | null;
  #faults: [RegExp, Answer][] = [];

  /** `upstream` is a host:port, or null where every request is to have its fault. */
  constructor(upstream: string | null) {
    this.#upstream = upstream;
    this.#server = createServer((incoming, response) => this.#answer(incoming, response));
  }

  /** Listens on host:port; port 0 is any free one. */
  async start(address: string): Promise<void> {
    const [host = '', port = ''] = address.split(':');
    this.#server.listen(Number(port), host);
    await once(this.#server, 'listening');
  }

  get origin(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  /** For requests ('METHOD /path') from now on, and before all faults that were set earlier. */
  fault(request: RegExp, answer: Answer): void {
    this.#faults.unshift([request, answer]);
  }

  heal(): void {
    this.#faults = [];
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(incoming: IncomingMessage, response: ServerResponse): void {
    const line = `${incoming.method} ${incoming.url}`;
    this.requests.push(line);
    if (incoming.method === 'OPTIONS' && this.#upstream === null) {
      response.writeHead(204, CORS).end();
      return;
    }
    const fault = this.#faults.find(([pattern]) => pattern.test(line));
    if (fault) fault[1](incoming, response);
    else this.#handOn(incoming, response);
  }

  #handOn(incoming: IncomingMessage, response: ServerResponse): void {
    if (this.#upstream === null) {
      incoming.socket.destroy();
      return;
    }
    const [host, port] = this.#upstream.split(':');
    const { method, url, headers } = incoming;
    const onward = request({ host, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    // The browser went away, or the server did: each hears of the other by its closed connection.
    onward.on('error', () => incoming.socket.destroy());
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}
