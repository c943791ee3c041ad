import type { RouteObject } from 'react-router';
import type { PageSource } from '../shared/content/model';
import { canonicalPath, pathOf } from '../shared/lib/paths';
import { CrashPage } from './CrashPage';
import { PageFailure } from './PageFailure';
import { PageRoute } from './PageRoute';
import { Shell } from './Shell';

/**
 * One route for every path: which page it is, the page's data says. What is on the screen is loaded anew where it is not
 * what its address asks for.
 */
export function createRoutes(
  source: PageSource,
  base: string,
  isOfAnotherAddress = () => false,
): RouteObject[] {
  return [
    {
      id: 'shell',
      Component: Shell,
      ErrorBoundary: CrashPage,
      children: [
        {
          id: 'page',
          path: '*',
          loader: ({ request }) => {
            const path = pathOf(base, new URL(request.url).pathname) ?? '/';
            return source.load(canonicalPath(path), request.signal);
          },
          // An anchor on the same page needs no data, and neither does closing the drawer by Back.
          // After a failure there is no data to keep, and the router loads whatever this says.
          shouldRevalidate: ({ currentUrl, nextUrl }) =>
            currentUrl.pathname !== nextUrl.pathname || isOfAnotherAddress(),
          Component: PageRoute,
          ErrorBoundary: PageFailure,
        },
      ],
    },
  ];
}
