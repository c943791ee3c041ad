/** Hits for the tests of this folder. */
import type { Hit } from '../../platform/hit';

export function hitAt(
  path: string,
  texts: { lvl0?: string; lvl1?: string; content?: string } = {},
): Hit {
  const [pathname = '', hash = ''] = path.split('#');
  return {
    objectID: path,
    url: path,
    pathname,
    hash,
    hierarchy: { lvl0: texts.lvl0 ?? 'Metrics', lvl1: texts.lvl1 ?? pathname },
    content: texts.content ?? '',
    type: 'content',
    marks: { lvl0: [], lvl1: [], content: [] },
  };
}
