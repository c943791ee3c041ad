/** A page that is a component, as `tools/componentPages.mjs` renders it. */
export interface ComponentPage {
  path: string;
  title: string;
  description: string;
  html: string;
}
