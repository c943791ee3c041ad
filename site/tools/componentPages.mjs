// Pages that are components: bundles the modules that the indexer found, and renders each of them once.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const site = join(dirname(fileURLToPath(import.meta.url)), '..');

/** A module is not what a page has to be. */
export class ComponentPageError extends Error {}

/**
 * @param {string} pages the indexer's output
 * @returns {Promise<import('../src/app/componentPage').ComponentPage[]>}
 */
export async function componentPages(pages) {
  // Most sites have none of these pages, and need no bundler.
  if (!existsSync(join(pages, 'components'))) return [];
  /** @type {{ components?: { path: string, file: string, source: string }[] }} */
  const { components = [] } = JSON.parse(await readFile(join(pages, 'manifest.json'), 'utf8'));
  if (components.length === 0) return [];
  const { build } = await import('vite');
  const { createElement } = await import('react');
  const { renderToStaticMarkup } = await import('react-dom/server');
  /** @param {() => unknown} Component */
  const render = (Component) => renderToStaticMarkup(createElement(asComponent(Component)));
  // Beside the packages of the site, so that what a page imports of React is the site's own.
  const scratch = await mkdtemp(join(site, 'node_modules/.siftwren-'));
  try {
    const input = Object.fromEntries(
      components.map(({ file }, index) => [`page${index}`, join(pages, 'components', file)]),
    );
    await build({
      root: site,
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      oxc: { jsx: { runtime: 'automatic' } },
      build: {
        outDir: scratch,
        ssr: true,
        target: 'node20',
        minify: false,
        rolldownOptions: {
          input,
          // Found in the site's packages, where the modules are run.
          external: [/^react(-dom)?(\/|$)/],
          output: { entryFileNames: '[name].mjs' },
        },
      },
    });
    return await Promise.all(
      components.map(async ({ path, source }, index) => {
        const module = await import(pathToFileURL(join(scratch, `page${index}.mjs`)).href);
        return { path, ...page(module, source, render) };
      }),
    );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {Record<string, unknown>} module
 * @param {string} source
 * @param {(component: () => unknown) => string} render
 */
function page(module, source, render) {
  const { default: Component, title, description = '' } = module;
  if (typeof Component !== 'function') {
    throw new ComponentPageError(
      `${source}:1:1: the page has no default export; export the component that it is: export default function Page() { … }`,
    );
  }
  if (typeof title !== 'string' || title.trim() === '') {
    throw new ComponentPageError(
      `${source}:1:1: the page has no title; add one: export const title = 'About';`,
    );
  }
  if (typeof description !== 'string') {
    throw new ComponentPageError(`${source}:1:1: \`description\` takes text`);
  }
  return { title, description, html: render(/** @type {() => unknown} */ (Component)) };
}

/**
 * What a component gives is React's to check.
 * @param {() => unknown} component
 */
function asComponent(component) {
  return /** @type {import('react').FunctionComponent} */ (component);
}
