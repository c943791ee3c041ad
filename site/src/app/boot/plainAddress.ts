/**
 * Runs in the head of the page that hosts show for wrong addresses, before anything is seen: pages exist under their
 * plain address only, so `/docs/x.html` and `/docs/x/index.html` lead to `/docs/x`.
 */
import { canonicalPath } from '../../shared/lib/paths';

if (location.pathname.endsWith('.html')) {
  location.replace(canonicalPath(location.pathname) + location.search + location.hash);
}
