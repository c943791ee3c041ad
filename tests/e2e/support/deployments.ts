/**
 * Deployments of the site, one after the other at the same address, by a server that can fail. The
 * builds are made from the built site: the same pages under another build's name and files, and with
 * another spelling of the product in every text, so that a mixture can be seen.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { environment } from './environment.js';

/** File names below the site, with what is in them. */
export type Build = ReadonlyMap<string, Buffer>;

export const FAULTS = ['missing', 'error', 'damaged', 'broken off'] as const;
export type Fault = (typeof FAULTS)[number] | 'never answered';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** As a word of a text, not as a part of an address or of a name. */
const PRODUCT = /(?<![-/_.\w])siftwren(?=[\s<"\\]|$)/g;

export class Deployments {
  readonly #server: Server;
  readonly #policy: string;
  #build: Build;
  #faults = new Map<string, Fault>();
  #faulty = 0;
  #isDown = false;

  private constructor(build: Build) {
    this.#build = build;
    const headers = build.get('_headers')?.toString('utf8') ?? '';
    this.#policy = /Content-Security-Policy: (.*)/.exec(headers)?.[1] ?? '';
    this.#server = createServer((request, response) => {
      if (this.#isDown) {
        response.destroy();
        return;
      }
      this.#answer(new URL(request.url ?? '/', 'http://site').pathname, response);
    });
  }

  static async start(build: Build): Promise<Deployments> {
    const deployments = new Deployments(build);
    await new Promise<void>((resolve) => {
      deployments.#server.listen(0, '127.0.0.1', resolve);
    });
    return deployments;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  publish(build: Build): void {
    this.#build = build;
  }

  /** Of all files, this one fails from now on; without a file, none. */
  fail(file?: string, fault: Fault = 'missing'): void {
    this.#faults = new Map(file === undefined ? [] : [[`/${file}`, fault]]);
  }

  /** How many times what fails was asked for. */
  get faulty(): number {
    return this.#faulty;
  }

  /** Nothing is answered until `work` is done. */
  async withoutNetwork(work: () => Promise<void>): Promise<void> {
    this.#isDown = true;
    await work();
    this.#isDown = false;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #answer(path: string, response: ServerResponse): void {
    const name = decodeURIComponent(path).replace(/^\/|\/$/g, '');
    const file = [name, `${name}/index.html`.replace(/^\//, '')].find((one) => this.#build.has(one));
    const found = file === undefined ? undefined : this.#build.get(file);
    const fault = this.#faults.get(path);
    if (fault !== undefined) this.#faulty += 1;
    const type = TYPES[extname(found ? (file ?? '') : '404.html')] ?? 'application/octet-stream';
    response.setHeader('content-type', type);
    response.setHeader('content-security-policy', this.#policy);
    response.setHeader('cache-control', path.startsWith('/assets/') ? 'max-age=31536000' : 'no-cache');
    if (!found || fault === 'missing') {
      response.statusCode = 404;
      response.setHeader('cache-control', 'no-cache');
      response.end(this.#build.get('404.html'));
    } else if (fault === 'error') {
      response.statusCode = 503;
      response.end('overloaded');
    } else if (fault === 'damaged') {
      const damaged = Buffer.from(found);
      damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] ?? 0) ^ 1;
      response.end(damaged);
    } else if (fault === 'never answered') {
      response.flushHeaders();
    } else if (fault === 'broken off') {
      response.setHeader('content-length', found.length);
      response.write(found.subarray(0, found.length >> 1), () => response.destroy());
    } else {
      response.end(found);
    }
  }
}

/** The site as it was built. */
export function builtSite(): Build {
  const folder = environment.SIFTWREN_TEST_DIST;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter(
    (name) => !/\.(br|gz)$/.test(name) && statSync(join(folder, name)).isFile(),
  );
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]));
}

/** The same site as another build; `letter` takes the place of the e in every "siftwren" that is read. */
export function otherBuild(letter: string): Build {
  const built = builtSite();
  const [, version = ''] = /"version":"([^"]+)"/.exec(workerOf(built)) ?? [];
  const [, id = ''] = /"build":"([^"]+)"/.exec(String(built.get('fragments/pages/docs.json'))) ?? [];
  const hashes = [...built.keys()].flatMap((name) => /^assets\/[^/]*-([\w-]{8,10})\.\w+$/.exec(name)?.[1] ?? []);
  const rename = (text: string) =>
    [id, version, ...hashes].reduce((all, hash) => all.replaceAll(hash, renamed(hash, letter)), text);
  const files = new Map<string, Buffer>();
  for (const [name, content] of built) {
    const isPage = /\.(html|json)$/.test(name);
    let text = /\.(html|json|js|css|webmanifest)$/.test(name) ? rename(content.toString('utf8')) : null;
    if (text !== null && isPage) text = text.replace(PRODUCT, productOf(letter));
    files.set(rename(name), text === null ? content : Buffer.from(text));
  }
  files.set('sw.js', Buffer.from(withDigests(workerOf(files), files)));
  return files;
}

/** The spelling by which a reader sees which build a text is of. */
export function productOf(letter: string): string {
  return `siftwr${letter}n`;
}

/** The build that a file is of whose name carries this hash. */
export function productByHash(hash: string): string {
  const [, letter] = /^([A-Z])\1{3}/.exec(hash) ?? [];
  return productOf(letter ?? 'e');
}

/** The files that the worker of a build stores and that of the one before has not. */
export function fetchedFiles(before: Build, build: Build): string[] {
  const had = new Set(listed(before).map(({ integrity }) => integrity));
  return listed(build)
    .filter(({ integrity }) => !had.has(integrity))
    .map(({ url }) => url.slice(1));
}

interface Listed {
  readonly url: string;
  readonly revision: string | null;
  readonly integrity: string;
}

const LISTED = /\{[^{}]*"integrity"[^{}]*\}/g;

/** What the worker of a build stores. */
function listed(build: Build): Listed[] {
  return [...workerOf(build).matchAll(LISTED)].map(([entry]) => JSON.parse(entry) as Listed);
}

function workerOf(build: Build): string {
  return build.get('sw.js')?.toString('utf8') ?? '';
}

/** Of the same length, since lengths and places in texts are written down in other files. */
function renamed(hash: string, letter: string): string {
  return letter.repeat(4) + hash.slice(4);
}

/** The worker's list, with the digests of the files as they are now. */
function withDigests(worker: string, files: Build): string {
  return worker.replace(LISTED, (text) => {
    const entry = JSON.parse(text) as Listed;
    const content = files.get(entry.url.slice(1)) ?? Buffer.alloc(0);
    const digest = (kind: string, form: 'base64' | 'hex') =>
      createHash(kind).update(content).digest(form);
    return JSON.stringify({
      ...entry,
      revision: entry.revision === null ? null : digest('md5', 'hex'),
      integrity: `sha256-${digest('sha256', 'base64')}`,
    });
  });
}
