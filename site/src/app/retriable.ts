import { loadOnce } from '../shared/lib/loadOnce';
import { PATIENCE_MS } from '../shared/lib/patience';
import { createSheet } from './boot/sheet';

/** Both are named by the error, the sheet by that of the bundler's loader, or by ours. */
const FAILED = /https?:\/\/\S+\.(?:js|css)/;

/**
 * Makes a loader of a part of the application, whose `load` imports it, with one sheet at most: once it is there it is the same for
 * everybody, and until then each call is an attempt of its own. One that does not end is given up.
 *
 * A mere second call of `load` would not be one. The bundler's loader asks for a sheet once; and Chromium 148 keeps the failure of a
 * module as long as its page, and a sheet that is on its way as long as it is, under its address, so that the next attempt asks for
 * another address of the same file.
 */
export function retriable<T>(load: () => Promise<T>): () => Promise<T> {
  let script: string | null = null;
  let sheet: (() => Promise<void>) | null = null;
  let attempts = 0;

  async function attempt(): Promise<T> {
    await sheet?.();
    if (script === null) return load();
    return (await import(/* @vite-ignore */ `${script}?${attempts}`)) as T;
  }

  return loadOnce(async () => {
    try {
      return await inTime(attempt());
    } catch (error) {
      const failed = FAILED.exec(String(error))?.[0];
      attempts += 1;
      if (failed?.endsWith('.js')) script = failed;
      else if (failed) sheet = createSheet(document, `${failed}?${attempts}`);
      throw error;
    }
  });
}

function inTime<T>(loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${failSheet()} did not come`)), PATIENCE_MS);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Ends the waiting for the newest sheet that is on its way: for the bundler's loader it has failed, and is not asked for again. */
function failSheet(): string {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  const waiting = links.findLast(({ sheet }) => sheet === null);
  waiting?.dispatchEvent(new Event('error'));
  return waiting?.href ?? 'A part of the application';
}
