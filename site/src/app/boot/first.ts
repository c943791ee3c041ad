/**
 * Runs in the head of every page, before anything is seen: the theme and the announcement must be right in the first
 * paint. It stands in the page itself, under a policy that names its hash, and is the same in all pages of a site. What
 * is pressed before the boot script hears of it, it keeps for that.
 */
import { applyDismissal } from '../../features/announcement/dismissal';
import { applyStoredTheme } from '../../features/theme/themeChoice';
import type { Boot } from './boot';

const root = document.documentElement;
const { announcement, boot = '' } = (document.currentScript as HTMLScriptElement).dataset;

applyStoredTheme(root);
if (announcement) applyDismissal(root, announcement);
root.dataset.js = '';
if (/mac|iphone|ipad/i.test(navigator.platform)) root.dataset.mac = '';

/** Until the boot script hears of it. */
const pressed: Event[] = [];
document.onclick = document.onkeydown = (event: Event) => pressed.push(event);

/** Whatever runs before the first paint has been shown delays it. It is shown a frame or two after it was made. */
let frames = 5;

document.addEventListener('DOMContentLoaded', afterFirstPaint);

/** Where nobody sees the page there are no frames: its script waits for a reader too. */
function afterFirstPaint(): void {
  if (frames--) {
    requestAnimationFrame(afterFirstPaint);
  } else {
    import(/* @vite-ignore */ boot).then(
      (script: Boot) => script.press(pressed),
      (error: unknown) => {
        if (root.dataset.js) throw error;
        // The boot script is not there: the page is as if no script ran, and says so.
        delete root.dataset.js;
      },
    );
  }
}
