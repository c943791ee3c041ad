/**
 * Runs in the head of every page, before anything is seen: the theme and the announcement must be right in the first
 * paint. It stands in the page itself, under a policy that names its hash, and is the same in all pages of a site.
 */
import { applyDismissal } from '../../features/announcement/dismissal';
import { applyStoredTheme } from '../../features/theme/themeChoice';

const root = document.documentElement;
const { announcement } = (document.currentScript as HTMLScriptElement).dataset;

applyStoredTheme(root);
if (announcement) applyDismissal(root, announcement);
root.dataset.js = '';
if (/mac|iphone|ipad/i.test(navigator.platform)) root.dataset.mac = '';

// Deferred scripts have run by now. Where the boot script has not, the page is as if no script ran, and says so.
document.addEventListener('DOMContentLoaded', () => {
  if (root.dataset.js === '') delete root.dataset.js;
});
