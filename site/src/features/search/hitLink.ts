/** Where a hit leads. Hits come from a server, an index or storage; only paths of this site are links. */
import type { Hit } from '../../platform/hit';

export interface HitLink {
  /** Below the site's base, for the router. */
  readonly pathname: string;
  /** With '#', percent-encoded; empty without an anchor. */
  readonly hash: string;
  /** With the site's base, for a new tab. */
  readonly href: string;
}

const ANY_ORIGIN = 'https://site.invalid';

/** The link of a hit, or null where it would lead off this site or run something. */
export function linkOf(hit: Hit, siteRoot: string): HitLink | null {
  if (!hit.pathname.startsWith('/') || !URL.canParse(hit.pathname, ANY_ORIGIN)) {
    return null;
  }
  // The URL parser reads '\' as '/' and drops tabs and line ends: only its result can be judged.
  const url = new URL(hit.pathname, ANY_ORIGIN);
  if (url.origin !== ANY_ORIGIN || url.pathname.startsWith('//')) {
    return null;
  }
  const hash = hit.hash === '' ? '' : fragmentOf(hit.hash);
  const base = siteRoot.endsWith('/') ? siteRoot : `${siteRoot}/`;
  return {
    pathname: url.pathname,
    hash,
    href: `${base}${url.pathname.slice(1)}${hash}`,
  };
}

/** A fragment that can always be decoded, whether the hit's anchor came encoded or not. */
function fragmentOf(anchor: string): string {
  try {
    return `#${encodeURIComponent(decodeURIComponent(anchor))}`;
  } catch {
    // A lone percent sign is part of the anchor; half a character has no encoding at all.
    return `#${encodeURIComponent(anchor.replace(/\p{Surrogate}/gu, '\uFFFD'))}`;
  }
}
