/** Data of pages as the site publishes them for navigation, for tests that answer in its place. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from './environment.js';

export interface FragmentPage {
  readonly path: string;
  readonly title: string;
  readonly html?: string;
  readonly [field: string]: unknown;
}

/** A page of the published build: one of another build would make the site load itself anew. */
export function fragmentOf(page: FragmentPage): Record<string, unknown> {
  return {
    kind: 'doc',
    description: '',
    section: { id: 'metrics', title: 'Metrics' },
    html: '',
    toc: [],
    previous: null,
    next: null,
    editUrl: null,
    lastChange: null,
    layout: 'text',
    build: publishedBuild(),
    ...page,
  };
}

function publishedBuild(): string {
  const assets = join(environment.SIFTWREN_TEST_DIST, 'assets');
  const file = readdirSync(assets).find((name) => /^site-[\w-]+\.json$/.test(name));
  if (!file) throw new Error(`no description of the site in ${assets}`);
  const site: unknown = JSON.parse(readFileSync(join(assets, file), 'utf8'));
  if (typeof site !== 'object' || site === null || !('build' in site)) throw new Error(`${file} names no build`);
  return String(site.build);
}
