/**
 * What may scroll is a stop of Tab in the page itself, so that a keyboard can scroll it where no script runs. Where nothing of it is
 * hidden, it would be a stop at which nothing can be done.
 */
const MAY_SCROLL = '.prose :is(pre, .table-scroll, .math-block, .diagram > div)[tabindex]';

/** Follows the page that is on the screen, until what it returns is called. */
export function followTabStops(document: Document): () => void {
  // It tells of each once in the beginning; of what is folded or in another tab, when that is shown.
  const observer = new ResizeObserver((changes) => {
    const measured = changes.map(({ target }) => [target as HTMLElement, scrolls(target)] as const);
    for (const [element, isStop] of measured) {
      const tabIndex = isStop ? 0 : -1;
      if (element.tabIndex !== tabIndex) element.tabIndex = tabIndex;
    }
  });
  for (const element of document.querySelectorAll(MAY_SCROLL)) observer.observe(element);
  return () => observer.disconnect();
}

function scrolls({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean {
  return scrollWidth > clientWidth || scrollHeight > clientHeight;
}
