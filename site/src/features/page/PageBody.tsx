/**
 * The text of a page. The string is either what the prerender wrote into this very element or a
 * fragment that `pageHtml.ts` has marked as trusted: this is the only element on the site whose
 * content React does not build.
 */
export function PageBody({ html }: { html: string }) {
  return (
    <div
      className="prose"
      data-page-html=""
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the one documented place, see pageHtml.ts
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
