/**
 * A walk by Tab: everything that can be reached is seen where the focus is on it, and everything that
 * can be pressed is reached.
 */
import { expect, type Page } from '@playwright/test';

/** What a reader sees of the element that has the focus. */
interface Stop {
  readonly name: string;
  readonly isMarked: boolean;
  readonly isSeen: boolean;
  readonly wasReached: boolean;
}

/** How long a stop may take to come into sight; the first that never does is enough to fail. */
const FRAMES = 60;
/** More stops than any page has. */
const MOST = 900;

/**
 * Walks from where the focus is until it comes past a stop for the second time. Returns the stops, in
 * order. `within` is what the focus must not leave, and of which all must be reached.
 */
export async function walk(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab', within = 'body'): Promise<string[]> {
  await page.evaluate(() => Object.assign(globalThis, { __reached: new Set<Element>() }));
  const stops: string[] = [];
  const wrong: string[] = [];
  for (let presses = 0; presses < MOST; presses += 1) {
    await page.keyboard.press(key);
    const stop = await page.evaluate(look, { within, frames: wrong.length > 0 ? 0 : FRAMES });
    // Between the last and the first stop the browser's own controls have the focus.
    if (stop === null) continue;
    if (stop.wasReached) break;
    stops.push(stop.name);
    if (!stop.isMarked) wrong.push(`the focus cannot be seen: ${stop.name}`);
    if (!stop.isSeen) wrong.push(`something lies over it: ${stop.name}`);
  }
  expect(wrong, `${key} at ${page.url()}`).toEqual([]);
  expect(await page.evaluate(missed, within), `not reached by ${key} at ${page.url()}`).toEqual([]);
  return stops;
}

async function look({ within, frames }: { within: string; frames: number }): Promise<Stop | null> {
  const element = document.activeElement as HTMLElement | null;
  if (element === null || element === document.body) return null;
  const reached = (globalThis as unknown as { __reached: Set<Element> }).__reached;
  const wasReached = reached.has(element);
  reached.add(element);
  const isOutlined = (one: Element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
    const isTransparent = /, 0\)$|^transparent$/.test(outlineColor);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !isTransparent;
  };
  // A field may show the mark around the frame that it fills.
  const frame = element.matches('input') ? element.parentElement : null;
  const isUncovered = () => {
    const points = [...element.getClientRects()].flatMap(({ left, top, width, height }) =>
      [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y] as const)),
    );
    return points.some(([x, y]) => {
      const there = document.elementFromPoint(x, y);
      return there !== null && (element.contains(there) || there.contains(element) && there.closest('label') !== null);
    });
  };
  // A busy machine may be some frames behind with scrolling there.
  let isSeen = isUncovered();
  for (let frame = 0; !isSeen && frame < frames; frame += 1) {
    await new Promise(requestAnimationFrame);
    isSeen = isUncovered();
  }
  const outside = element.closest(within) === null ? `outside of ${within}: ` : '';
  return {
    // Without what says where the reader is.
    name: outside + element.outerHTML.replace(/ aria-current="\w+"/, '').slice(0, 140),
    // What a script has put the focus on, to be read, cannot be reached by Tab and needs no mark.
    isMarked: element.tabIndex < 0 || isOutlined(element) || (frame !== null && isOutlined(frame)),
    isSeen: isSeen && outside === '',
    wasReached,
  };
}

/** What can be pressed or typed into, and the walk did not come past. */
function missed(within: string): string[] {
  const reached = (globalThis as unknown as { __reached: Set<Element> }).__reached;
  const all = document.querySelectorAll<HTMLElement>(
    `${within} :is(a[href], button, input, select, textarea, summary, [tabindex="0"])`,
  );
  return [...all]
    .filter(
      (element) =>
        element.tabIndex >= 0 &&
        !element.matches(':disabled') &&
        element.closest('[inert]') === null &&
        element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
        element.getClientRects().length > 0 &&
        !reached.has(element),
    )
    .map((element) => element.outerHTML.slice(0, 140));
}
