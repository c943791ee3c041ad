/** The site of this repository, built for a path below the root of its host and searched locally. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from './environment.js';
import { freePort, Server } from './server.js';

const ROOT = join(import.meta.dirname, '../../..');

export interface BuiltSite {
  /** The folder of the built site. */
  readonly dist: string;
  remove(): void;
}

export function buildFor(base: string): BuiltSite {
  const folder = mkdtempSync(join(tmpdir(), 'siftwren-base-'));
  const [config, pages, dist] = ['siftwren.toml', 'pages', 'dist'].map((name) => join(folder, name));
  const text = readFileSync(join(ROOT, 'siftwren.toml'), 'utf8');
  writeFileSync(
    config ?? '',
    replaced(replaced(text, '[site]', `[site]\nbase = "${base}"`), /^mode = .*$/m, 'mode = "local"'),
  );
  mkdirSync(pages ?? '');
  run(environment.SIFTWREN_TEST_INDEXER, [
    ...['build', '--root', ROOT, '--content', join(ROOT, 'content')],
    ...['--config', config ?? '', '--vector-cache', join(ROOT, 'search-vectors'), '--out', pages ?? ''],
  ]);
  run(process.execPath, [join(ROOT, 'site/tools/build.mjs')], {
    SIFTWREN_PAGES: pages,
    SIFTWREN_DIST: dist,
    SIFTWREN_WASM: environment.SIFTWREN_TEST_WASM,
  });
  return {
    dist: dist ?? '',
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Serves a built site below a path, on a port of its own. */
export async function serveBelow(base: string, dist: string): Promise<{ server: Server; origin: string }> {
  const address = `127.0.0.1:${await freePort()}`;
  const server = new Server({
    name: 'preview',
    program: environment.SIFTWREN_TEST_PREVIEW,
    arguments: [dist, '--addr', address, '--base', base],
    address,
    readyPath: base,
  });
  await server.start();
  return { server, origin: `http://${address}` };
}

function replaced(text: string, what: string | RegExp, by: string): string {
  const changed = text.replace(what, by);
  if (changed === text) throw new Error(`siftwren.toml has no ${what}`);
  return changed;
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stdout}${stderr}`);
}
