import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { afterFrame } from '../../shared/lib/afterFrame';

/**
 * The text of a page. The string is either what the prerender wrote into this very element or a
 * fragment that `pageHtml.ts` has marked as trusted: this is the only element on the site whose
 * content React does not build.
 *
 * A page that a reader goes to begins at its top. The frame that brings it leaves out what is far below (`late.css`), which half of its
 * time went to on a long page; the next one has it all, and only then is anything measured. Where the reader comes back, or goes to a
 * part of the page, it is there at once, as places on it count.
 */
export function PageBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  const isFollowed = useNavigationType() !== 'POP';
  const [beginsAtTop] = useState(isFollowed && hash === '');
  useEffect(() => {
    if (beginsAtTop) afterFrame(() => body.current?.removeAttribute('data-arriving'));
  }, [beginsAtTop]);
  return (
    <div
      ref={body}
      className="prose"
      data-arriving={beginsAtTop ? '' : undefined}
      data-page-html=""
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the one documented place, see pageHtml.ts
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
