/**
 * `localStorage` for small strings. Private windows and blocked storage throw on every access; a
 * reader then loses only the memory of a choice, so both functions answer instead of throwing.
 */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns whether the value was kept. */
export function writeStored(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
