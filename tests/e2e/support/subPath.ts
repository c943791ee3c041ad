/** Sites that journeys build: that of this repository for a path below the root of its host, and others; all are searched locally. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { environment } from './environment.js';
import { freePort, Server } from './server.js';

const ROOT = join(import.meta.dirname, '../../..');

export interface BuiltSite {
  /** The folder of the built site. */
  readonly dist: string;
  remove(): void;
}

export function buildFor(base: string): BuiltSite {
  const text = readFileSync(join(ROOT, 'siftwren.toml'), 'utf8');
  const config = replaced(
    replaced(text, '[site]', `[site]\nbase = "${base}"`),
    /^mode = .*$/m,
    'mode = "local"',
  );
  return build({ 'siftwren.toml': config }, [
    ...['--root', ROOT, '--content', join(ROOT, 'content')],
    ...['--vector-cache', join(ROOT, 'search-vectors')],
  ]);
}

/** A site of its own: pages below `content/`, and its configuration. */
export function buildFrom(files: Record<string, string>): BuiltSite {
  return build(files, ['--content', 'content']);
}

function build(files: Record<string, string>, indexerArguments: string[]): BuiltSite {
  const folder = mkdtempSync(join(tmpdir(), 'siftwren-site-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const dist = join(folder, 'dist');
  run(folder, environment.SIFTWREN_TEST_INDEXER, [
    ...['build', ...indexerArguments, '--config', 'siftwren.toml', '--out', 'pages'],
  ]);
  run(folder, process.execPath, [join(ROOT, 'site/tools/build.mjs')], {
    SIFTWREN_PAGES: join(folder, 'pages'),
    SIFTWREN_DIST: dist,
    SIFTWREN_WASM: environment.SIFTWREN_TEST_WASM,
  });
  return {
    dist,
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

function run(cwd: string, program: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stdout}${stderr}`);
}
