/**
 * What the journeys run against. `cargo xtask test` builds all of it and names it in the environment;
 * the reason for each variable is the text that the reader of an error gets.
 */
const VARIABLES = {
  SIFTWREN_CHROMIUM: 'path of a Chromium',
  SIFTWREN_TEST_PREVIEW: 'path of the program preview',
  SIFTWREN_TEST_XTASK: 'path of the program xtask',
  SIFTWREN_TEST_INDEXER: 'path of the program indexer',
  SIFTWREN_TEST_PLATFORM_SIM: 'path of the program platform-sim',
  SIFTWREN_TEST_GOLDEN: 'folder of the golden ranking',
  SIFTWREN_TEST_WASM: 'folder of the built wasm-core package',
} as const;

/** What each worker has for itself, since journeys stop and pause the servers: SIFTWREN_TEST_PLACES lists one for each, as JSON. */
const PARTS = {
  SIFTWREN_TEST_DIST: ['dist', 'folder of the built site'],
  SIFTWREN_TEST_SITE: ['site', 'host:port on which the site is to be served'],
  SIFTWREN_TEST_PLATFORM: ['platform', 'host:port that the site was built to search on'],
  SIFTWREN_TEST_DATA: ['data', 'data folder of platform-sim with the docs search model in it'],
} as const;

type Variable = keyof typeof VARIABLES | keyof typeof PARTS;

const places = readPlaces();

/** How many journeys can run beside each other. */
export const WORKERS = places.length;

/** Of a worker. Whoever asks elsewhere, to list the journeys, gets that of the first. */
export const environment: Readonly<Record<Variable, string>> = read();

/**
 * Runs that are longer than those of the suite, which does what fits into it:
 *
 * - SIFTWREN_INTERLEAVINGS: how many steps the walk over deployments has; 100 unless told.
 * - SIFTWREN_INTERLEAVINGS_SEED: the chance by which it goes; 7 unless told.
 */
export const INTERLEAVINGS = wholeNumber('SIFTWREN_INTERLEAVINGS', 100);
export const INTERLEAVINGS_SEED = wholeNumber('SIFTWREN_INTERLEAVINGS_SEED', 7);

export const SITE_ORIGIN = `http://${environment.SIFTWREN_TEST_SITE}`;
export const PLATFORM_ORIGIN = `http://${environment.SIFTWREN_TEST_PLATFORM}`;

function read(): Record<Variable, string> {
  const names = Object.keys(VARIABLES) as (keyof typeof VARIABLES)[];
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) {
    const list = missing.map((name) => `  ${name}: ${VARIABLES[name]}`).join('\n');
    throw new Error(
      `The browser journeys need these environment variables, which cargo xtask test sets:\n${list}`,
    );
  }
  const shared = names.map((name) => [name, process.env[name] ?? '']);
  const place = places[Number(process.env.TEST_PARALLEL_INDEX ?? 0)];
  const own = Object.entries(PARTS).map(([name, [part, what]]) => {
    const value = place?.[part];
    if (!value) throw new Error(`SIFTWREN_TEST_PLACES: "${part}" is missing, the ${what}`);
    return [name, value];
  });
  return Object.fromEntries([...shared, ...own]) as Record<Variable, string>;
}

function readPlaces(): readonly Record<string, string>[] {
  const places: unknown = JSON.parse(process.env.SIFTWREN_TEST_PLACES || '[]');
  if (!Array.isArray(places) || places.length === 0) {
    const parts = Object.values(PARTS).map(([part, what]) => `  ${part}: ${what}`);
    throw new Error(`SIFTWREN_TEST_PLACES is to list, for each worker:\n${parts.join('\n')}`);
  }
  return places as Record<string, string>[];
}

function wholeNumber(name: string, otherwise: number): number {
  const text = process.env[name] ?? String(otherwise);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name}: "${text}" is no whole number above 0`);
  return Number(text);
}
