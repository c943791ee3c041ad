import { useEffect, useState } from 'react';

/** To check a text of 1.4 MB takes 200 ms, for which no key may wait; one of this length takes 7. */
const LONG = 50_000;
const PAUSE_MS = 300;

/**
 * A text as it was when whoever types it last paused, where it is long; else as it is. `settle` takes it as it is at once.
 */
export function useSettled(text: string): { settled: string; settle(): void } {
  const [kept, setKept] = useState(text);
  const isLong = text.length > LONG;
  useEffect(() => {
    const pause = setTimeout(() => setKept(text), isLong ? PAUSE_MS : 0);
    return () => clearTimeout(pause);
  }, [text, isLong]);
  return { settled: isLong ? kept : text, settle: () => setKept(text) };
}
