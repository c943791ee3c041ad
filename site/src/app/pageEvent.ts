/** Dispatched on the document when the application has rendered another page. */
export const PAGE_EVENT = 'siftwren:page';
