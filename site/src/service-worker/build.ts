/** What the build writes in front of the worker's code. */

/** An address with the beginning of the SHA-256 of what is there, in base64url. */
export type BuildFile = readonly [url: string, digest: string];

export interface Build {
  /** Names the build; the page data carries it too. */
  readonly id: string;
  /** What a page without a network needs at least. */
  readonly shell: readonly BuildFile[];
  /** The rest: code, lists, the words of the search, and the pages where they are few enough. */
  readonly site: readonly BuildFile[];
  /** The file of `site` that holds the pages. */
  readonly pages: string | null;
  /** The page that stands in for one that is not stored. */
  readonly offline: string;
  /** Everything together, unpacked. */
  readonly bytes: number;
}

/** One page of the file that holds them all. */
export interface PackedPage {
  /** Address of the page, and of its data. */
  readonly url: string;
  readonly dataUrl: string;
  readonly document: string;
  /** Its data; the `html` of it is cut out of the document. */
  readonly data: Record<string, unknown>;
  readonly html: readonly [start: number, end: number] | null;
}
