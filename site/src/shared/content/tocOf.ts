/**
 * The table of contents of a page, read from its text: so the data of a page need not say it again. Where the indexer means
 * another one, the data does say it.
 */
import type { TocEntry } from './model';

const HEADING = /<h([234]) id="([^"]*)"[^>]*>(.*?)<\/h\1>/gs;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export function tocOf(html: string): TocEntry[] {
  return [...html.matchAll(HEADING)].map(([, level, id = '', title = '']) => ({
    id: unescapeHtml(id),
    title: unescapeHtml(title.replace(/<[^>]*>/g, '')).replace(/\s+/g, ' '),
    level: Number(level) as TocEntry['level'],
  }));
}

/** Of what the indexer writes. */
function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
