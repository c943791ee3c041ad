import { Fragment, type ReactNode } from 'react';
import type { TextRange } from '../../platform/hit';

interface HighlightedProps {
  readonly text: string;
  readonly ranges: readonly TextRange[];
}

/** The text with some stretches marked. Only text nodes and `<mark>` come out, whatever goes in. */
export function Highlighted({ text, ranges }: HighlightedProps): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const range of [...ranges].sort((one, other) => one.start - other.start)) {
    // Ranges that overlap or reach past the text are trimmed: the text is never lost or doubled.
    const from = Math.max(range.start, end);
    const to = Math.min(range.end, text.length);
    if (from < to) {
      parts.push(<Fragment key={end}>{text.slice(end, from)}</Fragment>);
      parts.push(<mark key={`mark-${from}`}>{text.slice(from, to)}</mark>);
      end = to;
    }
  }
  parts.push(<Fragment key="rest">{text.slice(end)}</Fragment>);
  return parts;
}
