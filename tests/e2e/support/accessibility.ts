/** Audits by axe. Its source runs in the page, so the context must bypass the page's own policy. */
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Why axe may leave a contrast undecided: text that is scrolled out of its box, single characters,
 * symbols, an element with a pseudo element. The same colours are judged where they stand alone.
 */
const UNDECIDABLE =
  /partially obscured by another element|too short to determine|only non-text characters|due to a pseudo element/;

/** One line for each element that breaks a rule, and for each that axe leaves to a person to judge. */
export async function audit(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  await atRest(page);
  const { violations, incomplete } = await page.evaluate(
    (tags) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        runOnly: { type: 'tag', values: tags },
        resultTypes: ['violations', 'incomplete'],
      }),
    TAGS,
  );
  const lines = (kind: string, results: typeof violations) =>
    results.flatMap((result) =>
      result.nodes.map((node) => {
        const why = [...node.any, ...node.all, ...node.none]
          .map(({ message }) => message)
          .join('; ');
        return `${kind} ${result.id}: ${node.html.slice(0, 120)} (${node.target.join(' ')}): ${why}`;
      }),
    );
  const undecided = lines('undecided', incomplete).filter(
    (line) => !(line.startsWith('undecided color-contrast') && UNDECIDABLE.test(line)),
  );
  return [...lines('violation', violations), ...undecided];
}

/** Waits for what a scroll or a press has set in motion: of a text that something passes over axe cannot tell the background. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    // One that is called off has come to rest as well.
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

const THEMES = ['dark', 'light'] as const;
const WIDTHS = [375, 1440] as const;

/** Audits the page as it is now in both themes, narrow and wide. */
export async function expectClean(page: Page, widths: readonly number[] = WIDTHS): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      expect.soft(await audit(page), `${colorScheme}, ${width} px`).toEqual([]);
    }
  }
}
