import { editDistance } from '../../shared/lib/editDistance';

/** What a mistyped word was meant to be: the most like of those that may stand there, where one is like it. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const most = Math.max(1, Math.floor(word.length / 3));
  let best: string | null = null;
  let least = most + 1;
  for (const candidate of candidates) {
    // It costs the product of both lengths, and no name is that long.
    if (Math.abs(candidate.length - word.length) >= least || word.length > 100) continue;
    const steps = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}
