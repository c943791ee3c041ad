/**
 * A site that is published below another path than it was built for finds none of its files: pages
 * are bare, and no script of theirs can say why. So each page carries a sentence that the style sheet
 * hides, and links to a page which needs no base: everything it loads lies beside it.
 */
import type { Favicon } from '../shared/content/model';
import { escapeHtml } from '../shared/lib/escapeHtml';

const HELP = 'base.html';

/** The sentence, at the head of a page. It suggests a base for pages whose place below it is known. */
export function wrongBaseBanner(base: string, page: { kind: string; path: string }): string {
  const path = page.path.replace(/^\//, '');
  const suggestion =
    path === ''
      ? 'this address'
      : `what comes before <code>${escapeHtml(path)}</code> in this address`;
  return `<p class="wrong-base" data-nosnippet>This site did not load properly. It was built for the base URL <code>${escapeHtml(base)}</code>.${isPlaced(page) ? ` Suggested base URL: ${suggestion}. The foot of this page links to it.` : ''}</p>`;
}

/**
 * The links, at the foot, so that the link that skips to the content stays the first of the page.
 * Hosts show a page with a slash at the end of its address or without: a relative link means one
 * thing in the first case and another in the second, so there are two.
 */
export function wrongBaseLinks(page: { kind: string; path: string }): string {
  if (!isPlaced(page)) return '';
  const depth = page.path.split('/').filter((part) => part !== '').length;
  const link = (up: number, text: string) => `<a href="${'../'.repeat(up)}${HELP}">${text}</a>`;
  const other =
    depth === 0 ? '' : `, or ${link(depth, 'the base URL for an address that ends with a slash')}`;
  return `<p class="wrong-base" data-nosnippet>${link(Math.max(depth - 1, 0), 'The base URL')}${other}.</p>`;
}

function isPlaced({ kind }: { kind: string }): boolean {
  return kind !== 'not-found' && kind !== 'offline';
}

/** The page that shows the right base. `script` and `icon` lie below the folder of the page. */
export function wrongBaseHelp(base: string, script: string, icon: Favicon): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The base URL of this site</title><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="dark light"><meta name="robots" content="noindex"><link rel="icon" type="${escapeHtml(icon.media_type)}" href="${escapeHtml(icon.src)}"><script defer src="${escapeHtml(script)}" data-base="${escapeHtml(base)}"></script></head><body><main><h1>The base URL of this site</h1><p>It was built for <code>${escapeHtml(base)}</code>.</p><p id="found">Turn JavaScript on to see where it is published.</p></main></body></html>\n`;
}
