/** Marks the entry of the table of contents whose part of the page is being read. */
export function followReading(window: Window & typeof globalThis): () => void {
  const { document } = window;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-toc] a')];
  const targets = links.map((link) =>
    document.getElementById(decodeURIComponent(link.hash.slice(1))),
  );
  if (links.length === 0) return () => {};

  let frame = 0;
  let last = -1;
  function mark(): void {
    frame = 0;
    const tops = targets.map((target) => target?.getBoundingClientRect().top ?? Infinity);
    const below = document.documentElement.scrollHeight - window.scrollY - window.innerHeight;
    const active = currentHeading(tops, readingLine(window.innerHeight, below));
    if (active === last) return;
    links[last]?.removeAttribute('aria-current');
    links[active]?.setAttribute('aria-current', 'location');
    last = active;
    reveal(links[active]);
  }
  function schedule(): void {
    frame ||= window.requestAnimationFrame(mark);
  }
  schedule();
  window.addEventListener('scroll', schedule, { passive: true });
  return () => {
    window.cancelAnimationFrame(frame);
    window.removeEventListener('scroll', schedule);
  };
}

/** Moves a long table of contents along, and nothing else. */
function reveal(link: HTMLElement | undefined): void {
  const toc = link?.closest('[data-toc]');
  if (!link || !toc) return;
  const at = link.getBoundingClientRect();
  const box = toc.getBoundingClientRect();
  if (at.top < box.top || at.bottom > box.bottom) {
    toc.scrollTop += at.top - box.top - box.height / 2;
  }
}

/**
 * How far below the top of the window readers read: a third of it, and in the last screen of the
 * page further and further down, so that its last headings have their turn.
 */
export function readingLine(height: number, below: number): number {
  const rest = Math.max(0, 1 - below / height);
  return height / 3 + (height * 2 * rest) / 3;
}

/** The last heading above the line, or none; `tops` in document order. */
export function currentHeading(tops: number[], line: number): number {
  let current = -1;
  tops.forEach((top, index) => {
    if (top <= line) current = index;
  });
  return current;
}
