/** The server, or the service worker that serves other tabs already, has a page of another build. */
export class OtherBuildError extends Error {
  override name = 'OtherBuildError';
}
