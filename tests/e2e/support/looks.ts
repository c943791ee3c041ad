/** Both themes, and the three widths between which the layout changes. */
import { test } from './fixtures.js';

export const THEMES = ['dark', 'light'] as const;
export const WIDTHS = [375, 996, 1440] as const;

/** Declares the tests once for every theme and width. */
export function inEveryLook(declare: (look: { width: number }) => void): void {
  for (const colorScheme of THEMES) {
    for (const width of WIDTHS) {
      test.describe(`${colorScheme}, ${width} px`, () => {
        test.use({ colorScheme, viewport: { width, height: 800 } });
        declare({ width });
      });
    }
  }
}
