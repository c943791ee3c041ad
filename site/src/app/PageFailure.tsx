import { useEffect } from 'react';
import {
  useLocation,
  useNavigate,
  useNavigation,
  useOutletContext,
  useRouteError,
} from 'react-router';
import { useSay, useSite } from '../shared/content/SiteContext';
import { Notice } from '../shared/ui/Notice';
import type { Arrived } from './arrived';
import { CrashNotice } from './CrashPage';
import { goOnFrom } from './navigation';
import { RouteLoadError } from './RouteLoadError';

/** Shown in place of a page that could not be loaded or that failed while it rendered. */
export function PageFailure() {
  const say = useSay();
  const error = useRouteError();
  const location = useLocation();
  const navigate = useNavigate();
  const { state } = useNavigation();
  useArrival(
    say(error instanceof RouteLoadError ? 'This page did not load' : 'This page crashed.'),
  );
  if (!(error instanceof RouteLoadError)) return <CrashNotice error={error} />;
  // It stays enabled meanwhile: a button that is not loses the focus, and a key that is pressed too early.
  // Going to the same address, rather than revalidating: the router's error boundary lets go of its
  // error for a new location, but misses a revalidation that is over within one render.
  const retry = () => void navigate(location, { replace: true });
  return (
    <Notice title={say('This page did not load')}>
      <p role="alert">{say(error.words, error.values)}</p>
      <p>
        <button type="button" className="button" onClick={retry} aria-busy={state === 'loading'}>
          {say('Retry')}
        </button>
      </p>
    </Notice>
  );
}

/** The reader is here, and goes on from here; whatever page comes next is arrived at. */
function useArrival(title: string): void {
  const site = useSite();
  const arrived = useOutletContext<Arrived>();
  useEffect(() => {
    arrived.current = null;
    document.title = `${title} · ${site.title}`;
    const heading = document.querySelector('h1');
    if (heading) goOnFrom(heading);
  }, [title, site, arrived]);
}
