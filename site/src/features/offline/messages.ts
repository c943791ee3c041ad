/** What a page says to the waiting service worker when the reader agrees to the new version. */
export const ACCEPT_MESSAGE = 'siftwren:accept-update';
