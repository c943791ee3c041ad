/**
 * A style sheet that comes after the page. A page carries what its first paint needs; what only an action of the reader shows is in
 * one sheet, all that other pages need in another.
 */
export function createSheet(document: Document, href: string): () => Promise<void> {
  let loading: Promise<void> | null = null;

  function load(): Promise<void> {
    return new Promise((resolve, reject) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = href;
      link.onload = () => resolve();
      link.onerror = () => {
        // The next attempt is a new one.
        loading = null;
        link.remove();
        reject(new Error(`${href} could not be loaded`));
      };
      document.head.append(link);
    });
  }

  return () => {
    loading ??= load();
    return loading;
  };
}
