let attempts = 0;

/**
 * Imports a part of the application. Chromium 148 keeps the failure of a module as long as its page, under its address, which its
 * error names: the next attempt asks for another one of the same file.
 */
export function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  return load().catch((error: unknown) => {
    const address = /https?:\/\/\S+\.js/.exec(String(error))?.[0];
    if (!address) throw error;
    attempts += 1;
    return import(/* @vite-ignore */ `${address}?${attempts}`) as Promise<T>;
  });
}
