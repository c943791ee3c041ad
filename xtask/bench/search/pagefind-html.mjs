// The sections of ITEMS as HTML pages in OUT, which Pagefind then indexes: node pagefind-html.mjs ITEMS OUT
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSections } from './data.mjs';

const [items, out] = process.argv.slice(2);
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const pages = new Map();
for (const section of readSections(items)) {
  if (!pages.has(section.page)) pages.set(section.page, []);
  pages.get(section.page).push(section);
}
for (const [page, sections] of pages) {
  const pageTitle = escaped(sections[0].titles[0] ?? sections[0].title);
  const body = sections.map(({ url, title, titles, text }) => {
    const [, anchor] = url.split('#');
    const level = titles.length + 1;
    const id = anchor === undefined ? '' : ` id="${escaped(anchor)}"`;
    const paragraphs = text.split('\n').filter((line) => line.trim() !== '');
    return [
      `<h${level}${id}>${escaped(title)}</h${level}>`,
      ...paragraphs.map((line) => `<p>${escaped(line)}</p>`),
    ].join('\n');
  });
  const folder = join(out, page);
  mkdirSync(folder, { recursive: true });
  const head = `<head><meta charset="utf-8"><title>${pageTitle}</title></head>`;
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en">${head}<body><main data-pagefind-body>\n${body.join('\n')}\n</main></body></html>\n`,
  );
}
