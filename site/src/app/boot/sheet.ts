import { loadOnce } from '../../shared/lib/loadOnce';

/**
 * A style sheet that comes after the page. A page carries what its first paint needs; what only an action of the reader shows is in
 * one sheet, all that other pages need in another.
 */
export function createSheet(document: Document, href: string): () => Promise<void> {
  return loadOnce(
    () =>
      new Promise((resolve, reject) => {
        const link = addLink(document, 'stylesheet', href);
        link.onload = () => resolve();
        link.onerror = () => {
          link.remove();
          reject(new Error(`${href} could not be loaded`));
        };
      }),
  );
}

export function addLink(document: Document, rel: string, href: string): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = rel;
  link.href = href;
  document.head.append(link);
  return link;
}
