/** Marks the entry of the table of contents whose part of the page is being read. */
export function followReading(window: Window & typeof globalThis): () => void {
  const { document } = window;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-toc] a')];
  const targets = links.map((link) =>
    document.getElementById(decodeURIComponent(link.hash.slice(1))),
  );
  if (links.length === 0) return () => {};

  let frame = 0;
  function mark(): void {
    frame = 0;
    const tops = targets.map((target) => target?.getBoundingClientRect().top ?? Infinity);
    const active = currentHeading(tops, window.innerHeight / 3);
    links.forEach((link, index) => {
      if (index === active) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    });
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

/** The last heading above the line, or none; `tops` in document order. */
export function currentHeading(tops: number[], line: number): number {
  let current = -1;
  tops.forEach((top, index) => {
    if (top <= line) current = index;
  });
  return current;
}
