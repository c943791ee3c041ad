// The same Markdown for every generator.
//
//   node content.mjs FROM TO [PAGES]
//
// Of the front matter only title and description stay: the rest means something to one generator or another. With PAGES, whole
// folders are taken in the order of their names until there are so many pages: a site one part of which is the other site.
// Prints the files that were written, as a JSON list.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

const [from, to, pages = 'Infinity'] = process.argv.slice(2);

/** The fields between the first two `---`, and what follows them. */
function parts(text) {
  const found = /^---\n([\s\S]*?)\n---\n/.exec(text);
  return found ? [found[1].split('\n'), text.slice(found[0].length)] : [[], text];
}

/** A scalar of one line, in quotes that every YAML parser reads alike. */
function field(lines, name) {
  const line = lines.find((line) => line.startsWith(`${name}:`));
  const value = line?.slice(name.length + 1).trim();
  if (!value) return null;
  const isQuoted = value.startsWith('"') && value.endsWith('"');
  return isQuoted ? value : JSON.stringify(value.replace(/^'(.*)'$/, '$1').replaceAll("''", "'"));
}

const all = (await readdir(from, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  .map((entry) => relative(from, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .sort();
const folders = Map.groupBy?.(all, dirname) ?? group(all);
const taken = [];
for (const files of folders.values()) {
  if (taken.length >= Number(pages)) break;
  if (taken.length + files.length <= Number(pages) * 1.1) taken.push(...files);
}

for (const file of taken) {
  const [lines, body] = parts(await readFile(join(from, file), 'utf8'));
  const title = field(lines, 'title') ?? JSON.stringify(file.replace(/^.*\//, '').replace(/\.md$/, ''));
  const description = field(lines, 'description') ?? title;
  const target = join(to, file);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `---\ntitle: ${title}\ndescription: ${description}\n---\n${body}`);
}
console.log(JSON.stringify(taken));

function group(files) {
  const groups = new Map();
  for (const file of files) {
    const folder = dirname(file);
    groups.set(folder, [...(groups.get(folder) ?? []), file]);
  }
  return groups;
}
