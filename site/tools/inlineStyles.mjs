// The styles that pages carry themselves, see src/app/styleParts.ts: which files a part holds, and what of them must be there
// when a page is first painted. What only an action of the reader shows comes with the first script that is not needed for that, in
// a sheet of its own, which changes nothing that is shown already. The whole sheet comes with the application, and at once where
// no script runs.
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
  matrices: ['styles/matrices.css'],
  diagrams: ['styles/diagrams.css'],
  themes: ['styles/themes.css'],
  languages: ['styles/languages.css'],
  reference: ['features/api/reference.css'],
  home: [
    'features/navbar/SearchHero.module.css',
    'features/home/HomeView.module.css',
    'features/home/Example.module.css',
    'features/home/WayPicture.module.css',
  ],
  notice: [
    'features/navbar/SearchHero.module.css',
    'shared/ui/Notice.module.css',
    'app/NotFound.module.css',
  ],
};

/** What no page shows before an action either, in files of its own. */
const LATE_FILES = ['styles/late.css', 'styles/print.css', 'app/DrawerMenu.module.css'];

/**
 * The style sheet of each part, and under `late` that of the late files.
 * @param {(file: string) => string} textOf of a file below `src`, as it is in the whole sheet
 * @param {(css: string) => string} minified
 * @returns {Record<string, string>}
 */
export function sheetsOfParts(textOf, minified) {
  const sheets = Object.entries({ ...PARTS, late: LATE_FILES });
  return Object.fromEntries(
    sheets.map(([part, files]) => [part, minified(files.map(textOf).join('\n'))]),
  );
}

const LATE_SELECTOR =
  /:hover|::selection|data-dropdown|data-scroll=|data-offline|data-drawer|tab-title|code-(copy|wrap)|data-wraps|aria-pressed|aria-busy/;
const LATE_MEDIA = /^(print|\(prefers-reduced-motion)/;
/** They follow how far something is scrolled, which it is not yet. */
const FIRST_KEYFRAMES = /^more/;
/** It would have the style of all elements computed again. */
const WHOLE_SHEET_SELECTOR = /::selection/;

/**
 * Of style sheets by the names of their parts: what the first paint needs of each part, and all that it does not need.
 * @param {Record<string, string>} sheets minified
 * @returns {{ first: Record<string, string>, late: string }}
 * @throws {import('postcss').CssSyntaxError} where one cannot be read
 */
export function splitStyles(sheets) {
  const parts = Object.keys(PARTS).filter((part) => part in sheets);
  return {
    first: Object.fromEntries(parts.map((part) => [part, firstStyles(sheets[part] ?? '')])),
    late: [...parts.map((part) => lateStyles(sheets[part] ?? '')), sheets.late].join(''),
  };
}

/** @param {string} css @returns {string} */
function firstStyles(css) {
  const sheet = parse(css);
  sheet.walkAtRules((rule) => {
    if (isLateAtRule(rule)) rule.remove();
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

/** @param {string} css @returns {string} */
function lateStyles(css) {
  const sheet = parse(css);
  leaveLate(sheet);
  return sheet.toString();
}

/** @param {import('postcss').Container} container */
function leaveLate(container) {
  for (const node of [...(container.nodes ?? [])]) {
    if (node.type === 'atrule') {
      if (isLateAtRule(node)) continue;
      leaveLate(node);
      if (!node.nodes?.length) node.remove();
    } else if (node.type === 'rule') {
      const late = node.selectors.filter((selector) => LATE_SELECTOR.test(selector));
      const shown = late.filter((selector) => !WHOLE_SHEET_SELECTOR.test(selector));
      if (shown.length > 0) node.before(node.clone({ selectors: shown }));
      node.selectors = node.selectors.filter((selector) => !late.includes(selector));
      leaveLate(node);
      if (node.selector === '' || node.nodes.length === 0) node.remove();
    } else if (node.type === 'decl' && node.prop !== 'transition') {
      node.remove();
    }
  }
}

/** @param {import('postcss').AtRule} rule */
function isLateAtRule({ name, params }) {
  return (
    (name === 'keyframes' && !FIRST_KEYFRAMES.test(params)) ||
    (name === 'media' && LATE_MEDIA.test(params))
  );
}

/** A layer without rules still says the order of layers; it has no body then. @param {import('postcss').Container} container */
function removeEmpty(container) {
  for (const node of [...(container.nodes ?? [])]) {
    if (node.type !== 'atrule' || !node.nodes) continue;
    removeEmpty(node);
    if (node.nodes.length === 0) node.remove();
  }
}
