// What every bundle and the tests share.
import { join } from 'node:path';
import { shortNames } from './shortNames.mjs';

const site = join(import.meta.dirname, '..');

/** Those with light-dark(): 2024 and later. */
export const BROWSERS = { chrome: '123', firefox: '121', safari: '17.5', ios_saf: '17.5' };
/** Those that bundlers know by another name. @type {Record<string, string>} */
const NAMES = { ios_saf: 'ios' };
export const TARGETS = Object.entries(BROWSERS).map(
  ([browser, version]) => (NAMES[browser] ?? browser) + version,
);

/** @param {string} file */
function reactRouter(file) {
  return join(site, 'node_modules/react-router/dist/production', file);
}

/**
 * @param {string} wasm the package of wasm-core; the tests put a double in its place
 * @param {ReturnType<typeof shortNames>} names
 * @returns {import('vite').InlineConfig}
 */
export function viteConfig(wasm, names = shortNames(join(site, 'src'))) {
  return {
    root: site,
    // It is imported from here: to let Vite find a file means to bundle that first, for each of the bundles.
    configFile: false,
    plugins: [
      {
        name: 'siftwren-short-names',
        enforce: 'pre',
        transform: {
          filter: { id: /\.css$/ },
          handler: (text) => ({ code: names.shorten(text), map: null }),
        },
      },
    ],
    resolve: {
      alias: [
        { find: /^wasm-core$/, replacement: join(wasm, 'wasm_core.js') },
        // Its package.json names only the development build, which is larger and slower.
        { find: /^react-router$/, replacement: reactRouter('index.mjs') },
        { find: /^react-router\/dom$/, replacement: reactRouter('dom-export.mjs') },
      ],
    },
    css: {
      modules: {
        generateScopedName: names.className,
      },
    },
    build: {
      target: TARGETS,
    },
    worker: { format: 'es' },
  };
}
