/** What a mistyped word was meant to be: the most like of those that may stand there, where one is like it. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const most = Math.max(1, Math.floor(word.length / 3));
  let best: string | null = null;
  let least = most + 1;
  for (const candidate of candidates) {
    // It costs the product of both lengths, and no name is that long.
    if (Math.abs(candidate.length - word.length) >= least || word.length > 100) continue;
    const steps = stepsBetween(word.toLowerCase(), candidate.toLowerCase());
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}

/** How many letters are put in, left out, changed or swapped with the next. */
function stepsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let steps = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        steps = Math.min(steps, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(steps);
    }
    [beforeLast, last] = [last, row];
  }
  return last.at(-1) ?? 0;
}
