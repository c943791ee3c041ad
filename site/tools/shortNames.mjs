// Names in style sheets as browsers get them. Every page carries its styles, so names are short there: class names of modules become
// one or two letters, custom properties too; constants, and what is used once, stand where they are used.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Constants of the scales: longer values are better named once. */
const LONGEST_CONSTANT = 30;

/**
 * The same files give the same names, whatever is bundled.
 * @param {string} source the folder of the site's code
 */
export function shortNames(source) {
  const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .sort()
    .map((file) => ({ file, text: withoutComments(readFileSync(join(source, file), 'utf8')) }));
  const classes = classNames(sheets.filter(({ file }) => file.endsWith('.module.css')));
  const properties = customProperties(sheets.map(({ text }) => text).join('\n'));
  return {
    /** @param {string} name @param {string} file */
    className(name, file) {
      const short = classes.get(`${basename(file)}.${name}`);
      if (short === undefined) throw new Error(`${file}: no style names the class ${name}`);
      return short;
    },
    /** All names of a module, as its script exports them. @param {string} file @returns {Record<string, string>} */
    exportsOf(file) {
      const own = `${basename(file)}.`;
      const found = [...classes].filter(([name]) => name.startsWith(own));
      if (found.length === 0) throw new Error(`${file}: no style names a class`);
      return Object.fromEntries(found.map(([name, short]) => [name.slice(own.length), short]));
    },
    /** @param {string} text of a style sheet */
    shorten: (text) => shorten(text, properties),
  };
}

/** Upper case, so that none meets a class that is not of a module. @param {{ file: string, text: string }[]} sheets */
function classNames(sheets) {
  const names = sheets.flatMap(({ file, text }) =>
    byUse(text, /(?:\.|@keyframes )([a-z][\w-]*)/gi).map(([name]) => `${basename(file)}.${name}`),
  );
  return new Map([...new Set(names)].map((name, index) => [name, short(index).toUpperCase()]));
}

/**
 * @typedef {object} Property
 * @property {string} name as it is declared
 * @property {string | null} value what stands in its place where it is used; such a property need not be declared
 */

/** @param {string} text of all style sheets @returns {Map<string, Property>} */
function customProperties(text) {
  /** @type {Map<string, string[]>} */
  const declared = new Map();
  for (const [, name = '', value = ''] of text.matchAll(/(--[\w-]+)\s*:\s*([^;{}]+);/g)) {
    declared.set(name, [...(declared.get(name) ?? []), value.trim().replace(/\s+/g, ' ')]);
  }
  /** How often each value is used, under whatever names. @type {Map<string, number>} */
  const uses = new Map();
  for (const [property, count] of byUse(text, /var\((--[\w-]+)\)/g)) {
    const [value = ''] = declared.get(property) ?? [];
    uses.set(value, (uses.get(value) ?? 0) + count);
  }
  // Roles with the same value are one.
  /** @type {Map<string, string>} */
  const shared = new Map();
  /** @type {[string, Property][]} */
  const properties = byUse(text, /(--[\w-]+)/g).map(([property], index) => {
    const name = `--${short(index)}`;
    const [value = '', ...others] = declared.get(property) ?? [];
    if (value === '' || others.length > 0) return [property, { name, value: null }];
    const isConstant = value.length <= LONGEST_CONSTANT && !/var\(|light-dark\(/.test(value);
    // A page need not name what only another part of the sheet has.
    if (isConstant || uses.get(value) === 1) {
      return [property, { name, value }];
    }
    shared.set(value, shared.get(value) ?? name);
    return [property, { name: shared.get(value) ?? name, value: null }];
  });
  return new Map(properties);
}

/** @param {string} text @param {Map<string, Property>} properties */
function shorten(text, properties) {
  /** @param {string} css @returns {string} */
  const placed = (css) =>
    css.replace(/var\((--[\w-]+)\)/g, (whole, name) => {
      const value = properties.get(name)?.value ?? null;
      return value === null ? whole : placed(value);
    });
  const kept = withoutComments(text).replace(/(--[\w-]+)\s*:\s*[^;{}]+;/g, (whole, name) =>
    (properties.get(name)?.value ?? null) === null ? whole : '',
  );
  return placed(kept).replace(/--[\w-]+/g, (name) => properties.get(name)?.name ?? name);
}

/** @param {string} text @param {RegExp} pattern @returns {[string, number][]} */
function byUse(text, pattern) {
  /** @type {Map<string, number>} */
  const uses = new Map();
  for (const [, name = ''] of text.matchAll(pattern)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** a, b, …, z, aa, ab, … @param {number} index @returns {string} */
function short(index) {
  const last = LETTERS[index % LETTERS.length];
  return (index < LETTERS.length ? '' : short(Math.floor(index / LETTERS.length) - 1)) + last;
}

/** @param {string} text */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, '');
}
