/**
 * After a new deployment the files of an open page may be gone. Then the page is loaded anew, with
 * the files of the new build.
 *
 * It happens only when the server itself says that this build is gone, and once per build and tab,
 * so that it cannot become a loop; where the browser cannot remember that, it does not happen.
 */
const KEY = 'siftwren.reloaded';
/** A server that says nothing for this long has not said that the build is gone. */
const BUILD_CHECK_TIMEOUT_MS = 5_000;

export interface Place {
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly location: { readonly href: string; replace(url: string): void; reload(): void };
  readonly fetch: typeof globalThis.fetch;
}

/**
 * `build` is the address of a file that only this build has; `target` is where the reader was going.
 * Returns whether the page is being loaded anew.
 */
export async function reloadIfReplaced(
  place: Place,
  build: string,
  target = place.location.href,
): Promise<boolean> {
  if (!(await isGone(place, build)) || !remember(place, build)) return false;
  if (target === place.location.href) place.location.reload();
  else place.location.replace(target);
  return true;
}

async function isGone({ fetch }: Place, url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(BUILD_CHECK_TIMEOUT_MS);
    const { status } = await fetch(url, { method: 'HEAD', cache: 'no-store', signal });
    return status === 404 || status === 410;
  } catch {
    // No network: nothing says that the build is gone, and a reload would lose the page as well.
    return false;
  }
}

/** False where this build was reloaded before, or where nothing is remembered. */
function remember(place: Place, build: string): boolean {
  try {
    const reloaded = place.sessionStorage.getItem(KEY) ?? '';
    // Addresses of builds are hashed: none is a part of another.
    if (reloaded.includes(build)) return false;
    place.sessionStorage.setItem(KEY, `${reloaded}\n${build}`);
    return true;
  } catch {
    return false;
  }
}
