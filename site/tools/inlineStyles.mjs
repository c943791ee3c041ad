// The styles that pages carry themselves, see src/app/styleParts.ts: which files a part holds, and what of them must be there
// when a page is first painted. The whole sheet comes with the first script that is not needed for that, and at once where no
// script runs; so what only an action of the reader shows can wait for it.
import { join } from 'node:path';

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
const LATE_BLOCK = /^@(keyframes|media (print|\(prefers-reduced-motion))/;
const LATE_DECLARATION = /^transition:/;

/**
 * @param {string} css minified
 * @returns {string}
 */
export function firstStyles(css) {
  let kept = '';
  for (const { head, body } of rules(css)) {
    if (body === null) kept += head;
    else if (/^@(layer|media)/.test(head)) {
      const inner = LATE_BLOCK.test(head) ? '' : firstStyles(body);
      if (inner !== '') kept += `${head}{${inner}}`;
    } else if (!LATE_BLOCK.test(head)) {
      const selectors = split(head, ',').filter((selector) => !LATE_SELECTOR.test(selector));
      const declarations = split(body, ';').filter((text) => !LATE_DECLARATION.test(text));
      if (selectors.length > 0 && declarations.length > 0) {
        kept += `${selectors.join(',')}{${declarations.join(';')}}`;
      }
    }
  }
  return kept;
}

/**
 * The rules of the outermost level; a statement has no body.
 * @param {string} css
 * @returns {Generator<{ head: string, body: string | null }>}
 */
function* rules(css) {
  let start = 0;
  while (start < css.length) {
    const open = css.indexOf('{', start);
    const statement = css.indexOf(';', start);
    if (statement !== -1 && (open === -1 || statement < open)) {
      yield { head: css.slice(start, statement + 1), body: null };
      start = statement + 1;
      continue;
    }
    if (open === -1) return;
    const end = closing(css, open);
    if (end === -1) {
      throw new Error(`a rule of the style sheet does not end: ${css.slice(start, open)}`);
    }
    yield { head: css.slice(start, open), body: css.slice(open + 1, end) };
    start = end + 1;
  }
}

/** Where the bracket at `open` is closed, or -1. @param {string} css @param {number} open */
function closing(css, open) {
  let depth = 0;
  let quote = '';
  for (let at = open; at < css.length; at += 1) {
    const letter = css[at] ?? '';
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '{') depth += 1;
    else if (letter === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** At a character that stands in no bracket and no quotes. @param {string} text @param {string} character */
function split(text, character) {
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (const letter of text) {
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) depth -= 1;
    if (letter === character && depth === 0 && quote === '') parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.filter((part) => part !== '');
}
