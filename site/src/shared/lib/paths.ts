/**
 * Paths inside the site. A *path* is what the indexer writes ("/docs/metrics/ndcg", the root is
 * "/"); an *href* also carries the base under which the site is hosted ("/handbook/docs/…").
 */

/** Adds the base. `base` starts and ends with a slash. */
export function hrefOf(base: string, path: string): string {
  return base + path.replace(/^\//, '');
}

/** The base in the router's spelling, without the slash at its end. */
export function basenameOf(base: string): string {
  return base === '/' ? '/' : base.slice(0, -1);
}

/** The path within the site, or null when the address lies outside its base. */
export function pathOf(base: string, pathname: string): string | null {
  if (`${pathname}/` === base) return '/';
  return pathname.startsWith(base) ? `/${pathname.slice(base.length)}` : null;
}

/**
 * The one spelling under which a page is looked up: no trailing slash, no `index.html`, no
 * `.html`.
 */
export function canonicalPath(pathname: string): string {
  const path = pathname
    .replace(/\/{2,}/g, '/')
    .replace(/\/index\.html$/, '/')
    .replace(/\.html$/, '');
  return path.length > 1 ? path.replace(/\/$/, '') : '/';
}

/** Whether a path names a file that is no page. */
export function isFile(path: string): boolean {
  return /\.[a-z0-9]+$/i.test(path) && !/\.html$/.test(path);
}

/** A part of an address as people read it; as it is where a percent sign in it begins no code. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The file below `fragments/pages/` that holds the data of a page. */
export function fragmentFile(path: string): string {
  return path === '/' ? 'index.json' : `${path.slice(1)}.json`;
}

/** The file below the output folder that holds the HTML of a page. */
export function htmlFile(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}/index.html`;
}
