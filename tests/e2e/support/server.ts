/** A program of ours that serves on an address: started, asked whether it answers, paused, stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface ServerOptions {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  /** host:port */
  readonly address: string;
  /** A path that is answered with status 200 once the server is ready. */
  readonly readyPath: string;
}

const PATIENCE_MS = 20_000;

export class Server {
  readonly #options: ServerOptions;
  #child: ChildProcess | null = null;
  /** The last of what the program said on stderr: the reason, when it ends by itself. */
  #said = '';

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  isRunning(): boolean {
    return this.#child !== null;
  }

  /** Returns once the server answers. */
  async start(): Promise<void> {
    const { name, program, address } = this.#options;
    if (this.#child !== null) throw new Error(`${name} runs already`);
    if (await listens(address)) {
      throw new Error(`${name} needs ${address}, and another program listens there: stop it`);
    }
    this.#said = '';
    const child = spawn(program, this.#options.arguments, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-4_000);
    });
    const failure = once(child, 'error').then(([error]) => Promise.reject(error as Error));
    // It loses the race below unless the program cannot be started at all.
    failure.catch(() => undefined);
    await Promise.race([this.#ready(child), failure]);
  }

  /** Asks the program to end, as a supervisor would, and waits until it has. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${this.#options.name} had ended by itself: ${this.#said}`);
    }
    const ended = once(child, 'exit');
    // A paused program does not hear that it should end.
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const inTime = await Promise.race([
      ended.then(() => true),
      delay(PATIENCE_MS, false, { ref: false }),
    ]);
    if (!inTime) {
      child.kill('SIGKILL');
      await ended;
      throw new Error(`${this.#options.name} did not end within ${PATIENCE_MS} ms of SIGTERM`);
    }
  }

  /** The server takes connections and answers nothing, from the moment at which this returns. */
  async pause(): Promise<void> {
    this.#signal('SIGSTOP');
    // Threads stop one after the other; on a busy machine one of them may answer for a while.
    const tasks = `/proc/${this.#child?.pid}/task`;
    while (existsSync(tasks) && !readdirSync(tasks).every((task) => isStopped(`${tasks}/${task}`))) {
      await delay(1);
    }
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  #signal(signal: NodeJS.Signals): void {
    if (!this.#child?.kill(signal)) throw new Error(`${this.#options.name} does not run`);
  }

  async #ready(child: ChildProcess): Promise<void> {
    const { name, address, readyPath } = this.#options;
    const url = `http://${address}${readyPath}`;
    const started = performance.now();
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null) {
        this.#child = null;
        throw new Error(`${name} ended at its start: ${this.#said}`);
      }
      if ((await listens(address)) && (await fetch(url)).ok) return;
      if (performance.now() - started > PATIENCE_MS) {
        throw new Error(`${url} is not answered after ${PATIENCE_MS} ms: ${this.#said}`);
      }
      await delay(20);
    }
  }
}

/** Whether anything takes connections on the address. */
function listens(address: string): Promise<boolean> {
  const [host = '', port = ''] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** On which nobody listens. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Whether a thread is stopped, by its folder in /proc; one that has ended does nothing either. */
function isStopped(folder: string): boolean {
  let stat: string;
  try {
    stat = readFileSync(`${folder}/stat`, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
  // The name of the thread, which stands in brackets, may hold anything.
  return stat.split(') ').at(-1)?.[0] === 'T';
}
