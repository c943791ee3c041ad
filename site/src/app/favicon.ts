import { escapeHtml } from '../shared/lib/escapeHtml';

/** Readable on a dark and on a light tab, and under white letters. */
const COLOR = '#c2571f';

/** For a site without a picture of its own: the first letter of its name. */
export function letterFavicon(title: string): string {
  const [letter = ''] = title.trim();
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${COLOR}"/><text x="16" y="23" font-family="system-ui,sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="#fff">${escapeHtml(letter.toUpperCase())}</text></svg>\n`;
}
