import type { Say } from '../../shared/content/words';

export function searchLabel(query: string, say: Say): string {
  return query === '' ? say('Search docs') : say('Search for “{query}”', { query });
}
