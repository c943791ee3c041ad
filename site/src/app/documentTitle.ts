import type { Page, SiteData } from '../shared/content/model';
import type { Say } from '../shared/content/words';

/** The text of the browser's tab. */
export function documentTitle(page: Page, site: SiteData, say: Say): string {
  switch (page.kind) {
    case 'doc':
      return `${page.title} · ${site.title}`;
    case 'home':
      return site.tagline === null ? site.title : `${site.title}: ${site.tagline}`;
    case 'not-found':
      return `${say('Page not found')} · ${site.title}`;
    case 'offline':
      return `${say('You are offline')} · ${site.title}`;
  }
}
