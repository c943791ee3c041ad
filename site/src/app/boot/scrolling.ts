/** So near to the top the bar is always there. In pixels. */
const NEAR = 100;

/**
 * Tells the style sheet which way the reader scrolls: `data-scroll` on the root element is "down" or
 * "up", and absent near the top. A jump to an anchor or to another page is not scrolling.
 */
export function followScrolling(window: Window): void {
  const { document } = window;
  const root = document.documentElement;
  let last = window.scrollY;
  let place = window.location.href;
  let jump = 0;

  /** Until nothing has moved for a while. */
  function startJump(): void {
    window.clearTimeout(jump);
    jump = window.setTimeout(() => {
      jump = 0;
    }, 150);
  }

  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a[href*="#"]')) startJump();
  });
  window.addEventListener(
    'scroll',
    () => {
      const { scrollY, innerHeight } = window;
      const change = scrollY - last;
      if (window.location.href !== place || jump !== 0) {
        place = window.location.href;
        startJump();
        if (scrollY <= NEAR) delete root.dataset.scroll;
      } else if (Math.abs(change) < 6) {
        return;
      } else if (change > 0 && scrollY > NEAR) {
        root.dataset.scroll = 'down';
      } else if (change < 0 && scrollY > innerHeight) {
        root.dataset.scroll = 'up';
      } else {
        delete root.dataset.scroll;
      }
      last = scrollY;
    },
    { passive: true },
  );
}
