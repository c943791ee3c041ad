/** What differs between pages and sites: the attributes of the first script's element, see `documentHtml.ts`. Absent: there is none. */
export interface Settings {
  /** Absent: the site is at the root. */
  base?: string;
  /** Address of the `SiteData`. */
  site?: string;
  /** Address of the current section's `SectionNav`. */
  nav?: string;
  /** Address of the site's words; absent: they are the English ones. */
  words?: string;
  /** `Failures` as JSON, with `words`. */
  failures?: string;
  /** Address of the service worker. */
  worker?: string;
  /** Its id, which is the same in all languages. */
  announcement?: string;
  hasSearch?: string;
  /** Why there is no search, where that was not wanted. */
  searchProblem?: string;
}
