import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { shortNames } from './tools/shortNames.mjs';

/** The search's WebAssembly package. Only the build needs it: the tests put a double in its place. */
const wasm = process.env.SIFTWREN_WASM ?? join(import.meta.dirname, '../wasm-core/pkg');

function reactRouter(file: string): string {
  return join(import.meta.dirname, 'node_modules/react-router/dist/production', file);
}

const names = shortNames(join(import.meta.dirname, 'src'));

/** What every bundle and the tests share; `tools/build.mjs` adds the rest. */
export default defineConfig({
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
    // Browsers with light-dark(): 2024 and later.
    target: ['chrome123', 'firefox121', 'safari17.5'],
  },
  worker: { format: 'es' },
  test: {
    environment: 'happy-dom',
    // Tests read documents; they load nothing that these name.
    environmentOptions: {
      happyDOM: {
        settings: {
          disableCSSFileLoading: true,
          disableJavaScriptFileLoading: true,
          handleDisabledFileLoadingAsSuccess: true,
        },
      },
    },
    include: ['src/**/*.test.{ts,tsx}'],
  },
});
