/** Where the focus can go on when what had it is gone. */

/** The first link or button in an element that is shown, or the first of those that are wanted. */
export function firstStop(
  element: Element | null | undefined,
  wanted = 'a[href], button',
): HTMLElement | undefined {
  return [...(element?.querySelectorAll<HTMLElement>(wanted) ?? [])].find(isShown);
}

export function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}
