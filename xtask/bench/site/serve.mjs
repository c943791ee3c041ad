// A static host for measuring: the same for every site, so that only the sites differ. Brotli at its best as a CDN keeps it, revalidation
// of everything but files with a hash in their name, and what a `_headers` file says.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml',
};
const INCOMPRESSIBLE = new Set(['.png', '.woff2', '.ico']);
const HASHED = /[-._](?=[\w-]*\d|[\w-]*[A-Z])[\w-]{8,}\.\w+$/;

/** The file that answers a path, or null. */
export async function fileOf(dist, pathname) {
  const path = normalize(decodeURIComponent(pathname)).replace(/^(\.\.[/\\])+/, '');
  for (const name of [path, `${path}.html`, join(path, 'index.html')]) {
    const file = join(dist, name);
    const found = await stat(file).catch(() => null);
    if (found?.isFile()) return file;
  }
  return null;
}

/** Where a site shows the page that others have at `path`: some change capital letters and underscores. Null where it does not. */
export async function pageOf(dist, path) {
  for (const spelling of [path, path.toLowerCase(), path.replaceAll('_', '-').toLowerCase()]) {
    const found = await fileOf(dist, spelling);
    if (found) return found.endsWith(`${spelling}.html`) ? `${spelling}.html` : spelling;
  }
  return null;
}

/** `pattern -> headers`, in the form that Netlify and Cloudflare Pages read. */
async function headerRules(dist) {
  const text = await readFile(join(dist, '_headers'), 'utf8').catch(() => '');
  const rules = [];
  for (const line of text.split('\n')) {
    if (/^\S/.test(line) && !line.startsWith('#')) {
      const pattern = line.trim().replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
      rules.push({ pattern: new RegExp(`^${pattern}$`), headers: [] });
    } else if (line.trim() && !line.trim().startsWith('#')) {
      const [name, ...value] = line.trim().split(':');
      rules.at(-1)?.headers.push([name.toLowerCase(), value.join(':').trim()]);
    }
  }
  return rules;
}

/** Serves a folder on a free port. `sent()` counts the bytes of all bodies so far. */
export async function serve(dist) {
  const rules = await headerRules(dist);
  const compressed = new Map();
  let bytes = 0;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const found = await fileOf(dist, pathname);
    const file = found ?? (await fileOf(dist, '/404.html'));
    if (file === null) {
      response.writeHead(404).end();
      return;
    }
    const type = extname(file);
    const headers = {
      'content-type': TYPES[type] ?? 'application/octet-stream',
      'cache-control': HASHED.test(pathname)
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=0, must-revalidate',
    };
    for (const { pattern, headers: more } of rules) {
      if (pattern.test(pathname)) for (const [name, value] of more) headers[name] = value;
    }
    if (!compressed.has(file)) {
      const raw = await readFile(file);
      const etag = `"${createHash('sha256').update(raw).digest('base64url').slice(0, 16)}"`;
      const isText = !INCOMPRESSIBLE.has(type) && raw.length > 100;
      compressed.set(file, { etag, isText, body: isText ? brotliCompressSync(raw) : raw });
    }
    const { etag, isText, body } = compressed.get(file);
    headers.etag = etag;
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    if (isText) headers['content-encoding'] = 'br';
    headers['content-length'] = body.length;
    response.writeHead(found === null ? 404 : 200, headers);
    if (request.method !== 'HEAD') bytes += body.length;
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    sent: () => bytes,
    close: () => new Promise((done) => {
      server.closeAllConnections();
      server.close(done);
    }),
  };
}
