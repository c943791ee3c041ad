/**
 * Reads a page's data back from its prerendered HTML, so that React can take the page over
 * without a second copy of it on the wire. What the components write, this must find again: the
 * test renders pages and compares.
 */
import type {
  DocPage,
  ExampleAnswer,
  NearPages,
  Page,
  PageLink,
  TocEntry,
} from '../../shared/content/model';
import { pathOf } from '../../shared/lib/paths';

/** `root` is the element that React renders into; it names the kind and path of its page. */
export function readPage(root: HTMLElement, base: string): Page {
  const { kind, path } = root.dataset;
  if (path === undefined) throw new Error('The page does not say its path.');
  switch (kind) {
    case 'doc':
      return readDoc(root, base, path);
    case 'home':
      return { kind, path, example: readExample(root.querySelector('[data-example]'), base) };
    case 'not-found':
      return { kind, path, near: readNear(root, base) };
    case 'offline':
      return { kind, path };
    default:
      throw new Error(`The page has an unknown kind: ${kind}`);
  }
}

function readDoc(root: HTMLElement, base: string, path: string): DocPage {
  const article = find(root, 'article');
  const time = article.querySelector('time[datetime]');
  // Pages outside of the sections have none between the start and themselves.
  const section = article.querySelector<HTMLElement>('nav > ol > li:nth-child(2):not(:last-child)');
  return {
    kind: 'doc',
    path,
    title: text(find(article, 'h1')),
    description:
      root.ownerDocument.querySelector<HTMLMetaElement>('meta[name=description]')?.content ?? '',
    section: {
      id: article.dataset.section ?? '',
      title: section ? text(section) : '',
    },
    html: find(article, '[data-page-html]').innerHTML,
    toc: [...root.querySelectorAll<HTMLElement>('[data-toc] li')].map(readTocEntry),
    previous: readLink(article.querySelector('a[rel=prev]'), base),
    next: readLink(article.querySelector('a[rel=next]'), base),
    editUrl: article.querySelector('a[data-edit]')?.getAttribute('href') ?? null,
    lastChange: time?.getAttribute('datetime') ?? null,
    layout: layoutOf(article.dataset.layout),
    // Of a language that has no such page this is the start, where the menu would lead anyway.
    translations: [
      ...root.querySelectorAll<HTMLElement>('header a[hreflang]:not([aria-current])'),
    ].map((link) => ({ tag: link.lang, path: pathIn(link, base) })),
  };
}

function readExample(example: HTMLElement | null, base: string): ExampleAnswer | null {
  if (!example) return null;
  const hits = [...example.querySelectorAll<HTMLElement>('li > a')].map((link) => ({
    path: pathIn(link, base),
    title: text(find(link, 'span')),
    section: text(find(link, 'small')),
    score: Number(find(link, 'data').getAttribute('value')),
  }));
  return { query: example.dataset.example ?? '', hits };
}

/** The address is written last. */
function readNear(root: HTMLElement, base: string): NearPages | null {
  const address = text(find(root, '[data-missing]'));
  if (address === '') return null;
  const links = root.querySelectorAll<HTMLElement>('[data-near] a');
  return {
    address,
    query: root.querySelector<HTMLElement>('main [data-search]')?.dataset.search ?? '',
    pages: [...links].map((link) => ({ path: pathIn(link, base), title: text(link) })),
  };
}

function layoutOf(name: string | undefined): DocPage['layout'] {
  return name === 'reference' || name === 'operations' ? name : 'text';
}

function readTocEntry(item: HTMLElement): TocEntry {
  const link = find(item, 'a');
  return {
    id: (link.getAttribute('href') ?? '').slice(1),
    title: text(link),
    level: Number(item.dataset.level) as TocEntry['level'],
  };
}

function readLink(link: HTMLElement | null, base: string): PageLink | null {
  return link && { path: pathIn(link, base), title: text(find(link, '[data-title]')) };
}

function pathIn(link: HTMLElement, base: string): string {
  return pathOf(base, link.getAttribute('href') ?? '') ?? '/';
}

function find(parent: HTMLElement, selector: string): HTMLElement {
  const found = parent.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
}

function text(element: HTMLElement): string {
  return element.textContent ?? '';
}
