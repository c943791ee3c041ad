import { loadOnce } from '../shared/lib/loadOnce';
import { createSheet } from './boot/sheet';

/** Both are named by the error, the sheet by that of the bundler's loader. */
const FAILED = /https?:\/\/\S+\.(?:js|css)/;

/**
 * Makes a loader of a part of the application, whose `load` imports it, with one sheet at most: once it is there it is the same for
 * everybody, and until then each call is an attempt of its own.
 *
 * A mere second call of `load` would not be one. Chromium 148 keeps the failure of a module as long as its page, under its address,
 * so that the next attempt asks for another address of the same file; and the bundler's loader asks for a sheet once.
 */
export function retriable<T>(load: () => Promise<T>): () => Promise<T> {
  let script: string | null = null;
  let sheet: (() => Promise<void>) | null = null;
  let attempts = 0;

  return loadOnce(async () => {
    try {
      await sheet?.();
      if (script === null) return await load();
      attempts += 1;
      return (await import(/* @vite-ignore */ `${script}?${attempts}`)) as T;
    } catch (error) {
      const failed = FAILED.exec(String(error))?.[0];
      if (failed?.endsWith('.js')) script = failed;
      else if (failed) sheet ??= createSheet(document, failed);
      throw error;
    }
  });
}
