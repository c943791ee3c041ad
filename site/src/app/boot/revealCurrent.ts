/** Scrolls a long menu so that the current page is in it. The page itself does not move. */
export function revealCurrent(document: Document): void {
  const menu = document.getElementById(':menu');
  const link = menu?.querySelector<HTMLElement>('[aria-current="page"]');
  if (!menu || !link) return;
  const below = link.getBoundingClientRect().bottom - menu.getBoundingClientRect().bottom;
  if (below > 0) menu.scrollTop += below + menu.clientHeight / 2;
}
