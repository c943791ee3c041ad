// What all peers are made from: the sections that our indexer wrote, and queries.
import { readFileSync } from 'node:fs';

/** A section, with its own heading as the title and those above it as its titles, as VitePress cuts pages. */
export function readSections(file) {
  return lines(file).map((item, id) => {
    const headings = [item.header_1, item.header_2, item.header_3, item.header_4].filter(
      (heading) => heading !== '',
    );
    const page = item.url.split('#')[0];
    return {
      id,
      url: item.url,
      page,
      title: headings.at(-1) ?? '',
      titles: headings.slice(0, -1),
      text: item.body,
    };
  });
}

export function readQueries(file) {
  return lines(file).map(({ id, query }) => ({ id, query }));
}

function lines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** Pages in the order of their best sections. */
export function pagesOf(sections, most = 30) {
  const pages = new Set();
  for (const section of sections) {
    pages.add(section.page);
    if (pages.size === most) break;
  }
  return [...pages];
}
