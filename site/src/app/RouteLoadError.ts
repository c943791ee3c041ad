/** The data of a page could not be had. The message is shown to the reader. */
export class RouteLoadError extends Error {
  override name = 'RouteLoadError';
}
