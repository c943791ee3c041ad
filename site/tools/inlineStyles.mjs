// The styles that pages carry themselves, see src/app/styleParts.ts: which files a part holds, and what of them must be there
// when a page is first painted. The whole sheet comes with the first script that is not needed for that, and at once where no
// script runs; so what only an action of the reader shows can wait for it.
import { join } from 'node:path';
import { parse } from 'postcss';

/** Files below `src`, in the order of the whole sheet. @type {Record<import('../src/app/styleParts').StylePart, string[]>} */
const PARTS = {
  shell: [
    'styles/layers.css',
    'styles/tokens.css',
    'styles/reset.css',
    'styles/base.css',
    'features/announcement/Announcement.module.css',
    'features/navbar/Navbar.module.css',
    'features/navbar/SearchButton.module.css',
    'features/theme/ThemeToggle.module.css',
    'features/drawer/DrawerHeader.module.css',
    'features/sidebar/Sidebar.module.css',
    'features/offline/OfflineState.module.css',
    'features/footer/SiteFooter.module.css',
    'app/Shell.module.css',
  ],
  doc: [
    'styles/prose.css',
    'features/page/DocArticle.module.css',
    'features/page/Pager.module.css',
    'features/page/Toc.module.css',
  ],
  code: ['styles/code.css'],
  tabs: ['styles/tabs.css'],
  tables: ['styles/tables.css'],
  alerts: ['styles/alerts.css'],
  asides: ['styles/asides.css'],
  reference: ['features/api/reference.css'],
  home: [
    'features/home/HomeView.module.css',
    'features/home/Example.module.css',
    'features/home/WayPicture.module.css',
  ],
  notice: ['shared/ui/Notice.module.css', 'app/NotFound.module.css'],
};

/**
 * The parts as modules to bundle, which import the files and use what these export: else it would be shaken off.
 * @param {string} source the folder of the site's code
 * @returns {{ input: Record<string, string>, plugin: import('vite').Plugin }}
 */
export function stylePartModules(source) {
  const prefix = 'style-part:';
  /** @param {string} id */
  const filesOf = (id) => Object.entries(PARTS).find(([part]) => prefix + part === id)?.[1];
  return {
    input: Object.fromEntries(Object.keys(PARTS).map((part) => [part, prefix + part])),
    plugin: {
      name: 'siftwren-style-parts',
      resolveId: (id) => (id.startsWith(prefix) ? id : null),
      load(id) {
        const files = filesOf(id);
        if (!files) return null;
        const imports = files.map((file, index) => {
          const name = file.endsWith('.module.css') ? `part${index} from ` : '';
          return `import ${name}${JSON.stringify(join(source, file))};`;
        });
        const used = files.flatMap((file, index) =>
          file.endsWith('.module.css') ? [`part${index}`] : [],
        );
        return `${imports.join('\n')}\nexport default [${used.join(', ')}];`;
      },
    },
  };
}

const LATE_SELECTOR =
  /:hover|::selection|data-scroll=|data-offline|data-drawer|code-(copy|wrap)|aria-pressed|aria-busy/;
const LATE_MEDIA = /^(print|\(prefers-reduced-motion)/;

/**
 * What of a style sheet the first paint needs.
 * @param {string} css minified
 * @returns {string}
 * @throws {import('postcss').CssSyntaxError} where it cannot be read
 */
export function firstStyles(css) {
  const sheet = parse(css);
  sheet.walkAtRules((rule) => {
    if (rule.name === 'keyframes' || (rule.name === 'media' && LATE_MEDIA.test(rule.params))) {
      rule.remove();
    }
  });
  sheet.walkDecls('transition', (declaration) => {
    declaration.remove();
  });
  sheet.walkRules((rule) => {
    const selectors = rule.selectors.filter((selector) => !LATE_SELECTOR.test(selector));
    if (selectors.length === 0 || rule.nodes.length === 0) rule.remove();
    else rule.selectors = selectors;
  });
  removeEmpty(sheet);
  return sheet.toString();
}

/** A layer without rules still says the order of layers; it has no body then. @param {import('postcss').Container} container */
function removeEmpty(container) {
  for (const node of [...(container.nodes ?? [])]) {
    if (node.type !== 'atrule' || !node.nodes) continue;
    removeEmpty(node);
    if (node.nodes.length === 0) node.remove();
  }
}
