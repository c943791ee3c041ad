import { useRouteError } from 'react-router';
import { useSay } from '../shared/content/SiteContext';
import { Notice } from '../shared/ui/Notice';

/** Shown when the shell itself fails: nothing around it can be relied on. */
export function CrashPage() {
  return (
    <main id=":main">
      <CrashNotice error={useRouteError()} />
    </main>
  );
}

/** Trying again loads the document: what crashed may be in the state of the application. */
export function CrashNotice({ error }: { error: unknown }) {
  const say = useSay();
  return (
    <Notice title={say('This page crashed.')}>
      <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
      <p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {say('Try again')}
        </button>
      </p>
    </Notice>
  );
}
