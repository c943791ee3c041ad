/** No violation on any page of the site, in both themes, narrow and wide. */
import { expectClean } from '../support/accessibility.js';
import { pagePaths } from '../support/builtSite.js';
import { expect, test } from '../support/fixtures.js';

test.use({
  bypassCSP: true,
  contextOptions: { reducedMotion: 'reduce' },
  expectedErrors: /status of 404/,
});

for (const path of [...pagePaths(), '/offline.html', '/docs/no-such-page']) {
  test(`the page ${path}`, async ({ page }) => {
    await page.goto(path);
    await expect(page.locator('main h1')).toHaveCount(1);
    await expectClean(page);
  });
}
