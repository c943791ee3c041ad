// Everything that is bundled: the browser's code, the boot script, the service worker, and the code that renders the pages.
//
//   node tools/bundles.mjs
//
// What a bundle holds depends on the code alone, not on anybody's pages, so it is made and compressed once, with the programs that
// builds need, and kept below node_modules. A build that does not find it makes it. Of the package of wasm-core in SIFTWREN_WASM
// (default: ../wasm-core/pkg).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compressSite } from './compress.mjs';
import { originalsBelow } from './siteFiles.mjs';

const thisFile = fileURLToPath(import.meta.url);
const site = join(dirname(thisFile), '..');
const kept = join(site, 'node_modules/.siftwren');
/** Of the package of wasm-core. */
const MODULE = 'wasm_core_bg.wasm';
/** Bundles of code that nobody has built for so long are removed. */
const KEPT_DAYS = 2;

/**
 * An "explicit compile hint" at the top of the application, which Chromium knows: all functions are compiled while the file comes,
 * beside the main thread, and none when it is first called. The first click to another page took 110 ms without and 64 with it on a
 * slow machine, 16 and 9 of them the scripts'; to start took the main thread 200 and 177 ms. It is ready 20 % later.
 */
const COMPILED_AT_ONCE = '//# allFunctionsCalledOnLoad\n';

/**
 * @typedef {object} Bundles
 * @property {string} folder
 * @property {import('../src/app/prerender').PrerenderOptions['assets']} assets hashed names below the site's folder
 * @property {import('../src/app/prerender').PrerenderOptions['inline']} inline texts that stand in pages
 */

/** The package of wasm-core that is wanted. */
export function wasmPackage() {
  return process.env.SIFTWREN_WASM ?? join(site, '../wasm-core/pkg');
}

/**
 * The bundles of the code as it is now.
 * @param {string} wasm
 * @returns {Bundles}
 */
export function currentBundles(wasm) {
  const folder = join(kept, digest(...inputs(wasm)));
  const list = join(folder, 'bundles.json');
  if (!existsSync(list)) {
    removeOld();
    // In a process of its own, since the bundlers need more memory than a thousand pages.
    // One thread, and little memory ahead of need (the bundler's allocator is mimalloc): the rest of a build needs 200 MB, this would
    // need 330 with all that they keep, and takes no less time. So it needs 185; what is given back at once as well, 160, costs 5 %.
    const program = ['--max-semi-space-size=2', thisFile, folder, wasm];
    const made = spawnSync(process.execPath, program, {
      stdio: 'inherit',
      env: {
        ...process.env,
        TOKIO_WORKER_THREADS: '1',
        MALLOC_ARENA_MAX: '1',
        MIMALLOC_ARENA_EAGER_COMMIT: '0',
      },
    });
    if (made.status !== 0) throw new Error('the code could not be bundled');
    const dist = join(folder, 'dist');
    compressSite(dist, originalsBelow(dist));
  }
  return { folder, ...JSON.parse(readFileSync(list, 'utf8')) };
}

/** They stay as long as somebody builds with them. @param {Bundles} bundles */
export function keepBundles({ folder }) {
  const now = new Date();
  utimesSync(folder, now, now);
}

/** Copies what browsers load. @param {Bundles} bundles @param {string} dist */
export function copyBundles({ folder }, dist) {
  cpSync(join(folder, 'dist'), dist, { recursive: true });
}

/** @param {Bundles} bundles @returns {Promise<typeof import('../src/app/prerender')>} */
export function prerenderCode({ folder }) {
  // React chooses by it which of its builds it loads.
  process.env.NODE_ENV = 'production';
  return import(pathToFileURL(join(folder, 'prerender.mjs')).href);
}

/** The service worker, which needs a description of its build in front. @param {Bundles} bundles */
export function serviceWorkerCode({ folder }) {
  return readFileSync(join(folder, 'serviceWorker.js'), 'utf8');
}

/** @param {string} wasm @returns {Iterable<string | Buffer>} */
function* inputs(wasm) {
  yield process.version;
  yield wasm;
  for (const file of ['wasm_core.js', MODULE]) yield readFileSync(join(wasm, file));
  yield readFileSync(join(site, 'package-lock.json'));
  for (const folder of ['src', 'tools']) {
    for (const entry of readdirSync(join(site, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      yield relative(site, file);
      yield readFileSync(file);
    }
  }
}

function removeOld() {
  mkdirSync(kept, { recursive: true });
  for (const name of readdirSync(kept)) {
    const folder = join(kept, name);
    const age = Date.now() - statSync(folder).mtimeMs;
    if (age > KEPT_DAYS * 86_400_000) rmSync(folder, { recursive: true });
  }
}

/** @param {string} folder @param {string} wasm */
async function makeBundles(folder, wasm) {
  const { build, mergeConfig } = await import('vite');
  const { rolldown } = await import('rolldown');
  const { transform: transformStyles } = await import('lightningcss');
  const { sheetsOfParts, splitStyles } = await import('./inlineStyles.mjs');
  const { shortNames } = await import('./shortNames.mjs');
  const { BROWSERS, TARGETS, viteConfig } = await import('./viteConfig.mjs');
  const source = join(site, 'src');
  const names = shortNames(source);
  // Below node_modules from the start, for the packages that the prerender code imports.
  const partial = `${folder}.${process.pid}`;
  const dist = join(partial, 'dist');

  const shared = mergeConfig(viteConfig(wasm, names), {
    logLevel: 'warn',
    publicDir: false,
    build: {
      // "use client" in libraries means nothing here.
      rolldownOptions: { checks: { moduleLevelDirective: false } },
    },
  });

  /** @param {import('vite').InlineConfig} config */
  const run = async (config) => {
    const result = await build(mergeConfig(shared, config));
    if (!('output' in result)) throw new Error('the bundler gave more than one output');
    return result.output;
  };

  /** The style sheets of the client, as it has them before they are put together, by their files. @type {Map<string, string>} */
  const sheets = new Map();

  const bundleClient = async () => {
    const output = await run({
      base: './',
      plugins: [
        {
          name: 'siftwren-style-sheets',
          transform: {
            filter: { id: /\.css$/ },
            handler(text, id) {
              sheets.set(id, text);
            },
          },
        },
        {
          name: 'siftwren-compiled-at-once',
          augmentChunkHash: ({ isEntry }) => (isEntry ? COMPILED_AT_ONCE : undefined),
          generateBundle: {
            // Vite puts something of its own in front.
            order: 'post',
            handler(_, files) {
              for (const file of Object.values(files)) {
                if (file.type === 'chunk' && file.isEntry) file.code = COMPILED_AT_ONCE + file.code;
              }
            },
          },
        },
      ],
      build: {
        outDir: dist,
        emptyOutDir: false,
        cssCodeSplit: true,
        // The boot script knows all addresses: nothing needs preloading before the first intent.
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: join(site, 'src/app/client.tsx'),
          // What it shares with the chunks that come later stays in it: one file is fetched ahead, and browsers do not
          // fetch what that imports.
          preserveEntrySignatures: 'allow-extension',
          output: {
            entryFileNames: 'assets/[name]-[hash].js',
            chunkFileNames: 'assets/[name]-[hash].js',
            assetFileNames: 'assets/[name]-[hash][extname]',
          },
        },
      },
    });
    const entry = output.find((file) => file.type === 'chunk' && file.isEntry);
    if (entry?.type !== 'chunk') throw new Error('the browser bundle has no entry');
    if (entry.imports.length > 0) {
      throw new Error(`the application is more than one file: ${entry.imports.join(', ')}`);
    }
    if (!entry.code.startsWith(COMPILED_AT_ONCE)) {
      throw new Error('the application does not begin with what browsers are to know of it');
    }
    const [sheet, ...others] = entry.viteMetadata?.importedCss ?? [];
    if (sheet === undefined || others.length > 0) {
      throw new Error('the browser bundle has more or less than one style sheet');
    }
    return { app: entry.fileName, sheet };
  };

  /** What pages carry of the style sheet, by the name of the part, and what comes later. */
  const styleParts = () => {
    /** @param {string} file */
    const textOf = (file) => {
      const text = sheets.get(join(source, file));
      if (text === undefined) throw new Error(`${file}: the application does not import it`);
      return text;
    };
    const targets = Object.fromEntries(
      Object.entries(BROWSERS).map(([browser, version]) => {
        const [major = 0, minor = 0] = version.split('.').map(Number);
        return [browser, (major << 16) | (minor << 8)];
      }),
    );
    /** @param {string} css */
    const minified = (css) => {
      const code = Buffer.from(css);
      return transformStyles({ filename: 'part.css', code, minify: true, targets }).code.toString();
    };
    return splitStyles(sheetsOfParts(textOf, minified));
  };

  /**
   * One script: a classic one with a name for what it exports, or a module without. Without Vite, which does nothing for scripts that
   * bring neither styles nor a component.
   * @param {string} entry
   * @param {string | null} name
   * @param {Record<string, string>} [define]
   */
  const bundleScript = async (entry, name, define) => {
    const bundle = await rolldown({
      input: join(site, entry),
      platform: 'browser',
      preserveEntrySignatures: 'exports-only',
      // What imports them is left out.
      moduleTypes: { '.css': 'empty' },
      transform: {
        target: TARGETS,
        // Libraries ask for it.
        define: { 'process.env.NODE_ENV': '"production"', ...define },
      },
    });
    const { output } = await bundle.generate({
      minify: true,
      comments: false,
      topLevelVar: true,
      ...(name === null ? { format: 'es' } : { format: 'iife', name }),
    });
    await bundle.close();
    return output[0].code;
  };

  /** Without styles: of those it needs the names of classes. */
  const bundlePrerender = () =>
    run({
      plugins: [
        {
          name: 'siftwren-class-names',
          enforce: 'pre',
          resolveId: {
            filter: { id: /\.module\.css$/ },
            handler: (id, importer = '') => `\0${join(dirname(importer), id)}.js`,
          },
          load: {
            filter: { id: /\.module\.css\.js$/ },
            handler: (id) =>
              `export default ${JSON.stringify(names.exportsOf(id.slice(1, -'.js'.length)))}`,
          },
        },
      ],
      build: {
        outDir: partial,
        emptyOutDir: false,
        ssr: join(site, 'src/app/prerender.ts'),
        target: 'node20',
        minify: false,
        rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
      },
    });

  try {
    const { app, sheet } = await bundleClient();
    /** @param {string} name @param {string} extension @param {string | Buffer} content */
    const write = (name, extension, content) => {
      const file = `assets/${name}-${digest(content)}.${extension}`;
      writeFileSync(join(dist, file), content);
      return file;
    };
    /** @param {string} name @param {string} entry @param {string | null} exported @param {Record<string, string>} [define] */
    const hashed = async (name, entry, exported, define) =>
      write(name, 'js', await bundleScript(entry, exported, define));
    const styles = styleParts();
    const lateSheet = write('later', 'css', styles.late);
    // What the boot script imports next.
    const missing = await hashed('missing', 'src/app/boot/missing.ts', null);
    const later = await hashed('later', 'src/app/boot/later.ts', null, {
      LATER_FILES: JSON.stringify({ missing }),
    });
    const assets = {
      boot: await hashed('boot', 'src/app/boot/boot.ts', null, {
        BOOT_FILES: JSON.stringify({ app, later, lateSheet, sheet }),
      }),
      sheet,
      analytics: await hashed('analytics', 'src/app/analytics.ts', 'siftwrenAnalytics'),
      wrongBase: await hashed('wrong-base', 'src/app/wrongBaseHelp.ts', 'siftwrenWrongBase'),
      wasm: write('search', 'wasm', readFileSync(join(wasm, MODULE))),
    };
    const inline = {
      first: (await bundleScript('src/app/boot/first.ts', 'siftwrenFirst')).trim(),
      plainAddress: (
        await bundleScript('src/app/boot/plainAddress.ts', 'siftwrenPlainAddress')
      ).trim(),
      styles: styles.first,
    };
    await bundlePrerender();
    const worker = await bundleScript(
      'src/service-worker/serviceWorker.ts',
      'siftwrenServiceWorker',
    );
    writeFileSync(join(partial, 'serviceWorker.js'), worker);
    writeFileSync(join(partial, 'bundles.json'), JSON.stringify({ assets, inline }));
    // Another build of the same code may have been faster; its bundles are the same.
    if (!existsSync(folder)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** @param {(string | Buffer)[]} contents */
function digest(...contents) {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content).update('\0');
  return hash.digest('base64url').slice(0, 10);
}

const [, program, folder, wasm] = process.argv;
if (program === thisFile) {
  if (folder && wasm) await makeBundles(folder, wasm);
  else keepBundles(currentBundles(wasmPackage()));
}
