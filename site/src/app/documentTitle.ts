import type { Page, SiteData } from '../shared/content/model';

/** The text of the browser's tab. */
export function documentTitle(page: Page, site: SiteData): string {
  switch (page.kind) {
    case 'doc':
      return `${page.title} · ${site.title}`;
    case 'home':
      return site.tagline === null ? site.title : `${site.title}: ${site.tagline}`;
    case 'not-found':
      return `Page not found · ${site.title}`;
    case 'offline':
      return `You are offline · ${site.title}`;
  }
}
