import { RouteLoadError } from './RouteLoadError';

/** What this build of the site needs is not on the server: another build may have replaced it. */
export class AssetsGoneError extends RouteLoadError {
  override name = 'AssetsGoneError';
}
