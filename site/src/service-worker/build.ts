/** What the build writes in front of the worker's code, beside Workbox's list of files. */
export interface Build {
  /** Names the worker and all that it stores: another code or another file, another name. */
  readonly version: string;
  /** Of the list, what a page without a network needs at least. The rest can wait. */
  readonly shell: readonly string[];
  /** The file of the list that holds the pages; null for a site with too many of them. */
  readonly pages: string | null;
  /** The pages that stand in for those in their folders that are not stored; that of the site is the first. */
  readonly offline: readonly string[];
  /** Those for addresses without a page, which are packed with the pages, in the same order. */
  readonly missing: readonly string[];
  /** Everything together, unpacked. */
  readonly bytes: number;
}

/** The file that holds all pages. */
export interface PackedSite {
  /** The styles that pages carry; in the head of a page their place has the number. */
  readonly styles: readonly string[];
  readonly pages: readonly PackedPage[];
}

/** One page of it. */
export interface PackedPage {
  readonly url: string;
  /** Of its data; null for a page that is only loaded whole. */
  readonly dataUrl: string | null;
  readonly document: string;
  /** Its data; the `html` of it is cut out of the document. */
  readonly data: Record<string, unknown>;
  readonly html: readonly [start: number, end: number] | null;
}
