export function searchLabel(query: string): string {
  return query === '' ? 'Search docs' : `Search for “${query}”`;
}
