/**
 * What the journeys run against. `cargo xtask test` builds all of it and names it in the environment;
 * the reason for each variable is the text that the reader of an error gets.
 */
const VARIABLES = {
  SIFTWREN_CHROMIUM: 'path of a Chromium',
  SIFTWREN_TEST_DIST: 'folder of the built site',
  SIFTWREN_TEST_SITE: 'host:port on which the site is to be served',
  SIFTWREN_TEST_PREVIEW: 'path of the program preview',
  SIFTWREN_TEST_XTASK: 'path of the program xtask',
  SIFTWREN_TEST_INDEXER: 'path of the program indexer',
  SIFTWREN_TEST_PLATFORM: 'host:port that the site was built to search on',
  SIFTWREN_TEST_PLATFORM_SIM: 'path of the program platform-sim',
  SIFTWREN_TEST_DATA: 'data folder of platform-sim with the docs search model in it',
  SIFTWREN_TEST_GOLDEN: 'folder of the golden ranking',
  SIFTWREN_TEST_WASM: 'folder of the built wasm-core package',
} as const;

type Variable = keyof typeof VARIABLES;

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
  const names = Object.keys(VARIABLES) as Variable[];
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) {
    const list = missing.map((name) => `  ${name}: ${VARIABLES[name]}`).join('\n');
    throw new Error(
      `The browser journeys need these environment variables, which cargo xtask test sets:\n${list}`,
    );
  }
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ''])) as Record<
    Variable,
    string
  >;
}

function wholeNumber(name: string, otherwise: number): number {
  const text = process.env[name] ?? String(otherwise);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name}: "${text}" is no whole number above 0`);
  return Number(text);
}
