/**
 * The one place where text becomes markup.
 *
 * The HTML of a page is made by the indexer at build time, from Markdown in which raw HTML is
 * refused outside a short allow-list, and reaches the browser only in a document or a page fragment
 * of this origin. The Trusted Types policy below is the only one that makes HTML; everything else on the
 * site is React text and elements. The linter allows `dangerouslySetInnerHTML` only in the
 * component that uses this function.
 */
import { createPolicy } from '../../shared/lib/trustedTypes';

let policy: ReturnType<typeof createPolicy> | undefined;

/** Marks the HTML of a fragment, or of the document that React takes over, as trusted. */
export function trustPageHtml(html: string): string {
  policy ??= createPolicy('siftwren-page', { createHTML: (input) => input });
  return policy.createHTML(html);
}
