/**
 * Marks what is being read in the lists that lead to parts of this page: the table of contents, and
 * the menu where it names the operations of an API page.
 */
export function followReading(window: Window & typeof globalThis): () => void {
  const { document } = window;
  const lists = [...document.querySelectorAll<HTMLElement>('[data-toc], [data-menu]')];
  const marks = lists.map((list) => marker(list, window)).filter((mark) => mark !== null);
  if (marks.length === 0) return () => {};

  let frame = 0;
  function update(): void {
    frame = 0;
    const below = document.documentElement.scrollHeight - window.scrollY - window.innerHeight;
    const line = readingLine(window.innerHeight, below);
    for (const mark of marks) mark(line, below < 1);
  }
  function schedule(): void {
    frame ||= window.requestAnimationFrame(update);
  }
  schedule();
  window.addEventListener('scroll', schedule, { passive: true });
  return () => {
    window.cancelAnimationFrame(frame);
    window.removeEventListener('scroll', schedule);
    for (const mark of marks) mark(-Infinity, true);
  };
}

/** Marks the entry of a list whose part begins last above a line; null where none leads into the page. */
function marker(
  list: HTMLElement,
  { document, location }: Window,
): ((line: number, isAtEnd: boolean) => void) | null {
  const links = [...list.querySelectorAll('a')].filter(
    ({ hash, pathname }) => hash !== '' && sameFile(pathname, location.pathname),
  );
  const targets = links.map(({ hash }) =>
    document.getElementById(decodeURIComponent(hash.slice(1))),
  );
  if (links.length === 0) return null;
  let last = -1;
  return (line, isAtEnd) => {
    // What stands in a tab that is not shown is nowhere.
    const tops = targets.map((target) => target?.getClientRects()[0]?.top ?? Infinity);
    const active = currentHeading(tops, line, isAtEnd);
    if (active === last) return;
    links[last]?.removeAttribute('aria-current');
    links[active]?.setAttribute('aria-current', 'location');
    last = active;
    reveal(list, links[active]);
  };
}

/** Some hosts put a slash behind the address of a page. */
function sameFile(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

/** Moves a long list along, and nothing else. Who goes through it by keyboard would lose sight of the focus. */
function reveal(list: HTMLElement, link: HTMLElement | undefined): void {
  if (!link) return;
  const box = list.closest('#\\:menu') ?? list;
  if (box.querySelector(':focus-visible')) return;
  const { top, bottom, height } = box.getBoundingClientRect();
  const at = link.getBoundingClientRect();
  if (at.top < top || at.bottom > bottom) box.scrollTop += at.top - top - height / 2;
}

/**
 * How far below the top of the window readers read: a third of it, and in the last screen of the
 * page further and further down, so that its last headings have their turn.
 */
export function readingLine(height: number, below: number): number {
  const rest = Math.max(0, 1 - below / height);
  return height / 3 + (height * 2 * rest) / 3;
}

/** Between these, in pixels below the top of the window, stands a heading that a link has led to: below the bar. */
const PLACE = [60, 100] as const;

/**
 * The last heading above the line, or none; `tops` in document order. One where links lead stays before those that follow a short part,
 * unless the page is at its end: the reader has just come to it.
 */
export function currentHeading(tops: number[], line: number, isAtEnd: boolean): number {
  let current = -1;
  tops.forEach((top, index) => {
    const last = tops[current] ?? 0;
    if (top <= line && (isAtEnd || last < PLACE[0] || last > PLACE[1])) current = index;
  });
  return current;
}
