/** `test` with the servers, the search modal, and the rule that nothing goes wrong unnoticed. */
import { expect, type Page, test as base } from '@playwright/test';
import { answers } from './answers.js';
import { environment, SITE_ORIGIN } from './environment.js';
import { Problems } from './problems.js';
import { SearchModal } from './searchModal.js';
import { Server } from './server.js';

interface TestFixtures {
  /** Console errors that the journey causes on purpose; everything else fails it. */
  expectedErrors: RegExp;
  problems: Problems;
  /** platform-sim, running again after the test whatever the test did to it. */
  platform: Server;
  search: SearchModal;
}

interface WorkerFixtures {
  site: Server;
  platformServer: Server;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // Playwright reads from the pattern which fixtures a fixture needs: none.
    async ({}, use) => {
      const server = new Server({
        name: 'preview',
        program: environment.SIFTWREN_TEST_PREVIEW,
        arguments: [environment.SIFTWREN_TEST_DIST, '--addr', environment.SIFTWREN_TEST_SITE],
        address: environment.SIFTWREN_TEST_SITE,
        readyPath: '/',
      });
      await server.start();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', auto: true },
  ],

  platformServer: [
    async ({}, use) => {
      const server = new Server({
        name: 'platform-sim',
        program: environment.SIFTWREN_TEST_PLATFORM_SIM,
        arguments: [
          ...['--addr', environment.SIFTWREN_TEST_PLATFORM],
          ...['--data-dir', environment.SIFTWREN_TEST_DATA],
          ...['--allow-origin', SITE_ORIGIN],
          ...['--log', 'warn'],
        ],
        address: environment.SIFTWREN_TEST_PLATFORM,
        readyPath: '/v1/liveness',
      });
      await server.start();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', auto: true },
  ],

  platform: async ({ platformServer }, use) => {
    await use(platformServer);
    if (platformServer.isRunning()) {
      platformServer.resume();
    } else {
      await platformServer.start();
    }
  },

  expectedErrors: [/(?!)/, { option: true }],

  context: async ({ context }, use) => {
    context.on('page', answersOnceThere);
    await use(context);
  },

  problems: [
    async ({ context, expectedErrors }, use) => {
      const problems = new Problems();
      await problems.watch(context);
      await use(problems);
      expect(problems.unexpected(expectedErrors), 'errors that nobody expected').toEqual([]);
    },
    { auto: true },
  ],

  search: async ({ page }, use) => {
    await use(new SearchModal(page));
  },
});

export { expect };

/** A page that is opened is one that answers. */
function answersOnceThere(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil !== 'commit') await answers(page);
    return response;
  };
  const reload = page.reload.bind(page);
  page.reload = async (options) => {
    const response = await reload(options);
    await answers(page);
    return response;
  };
}

/** The heading that names the page. */
export function title(page: Page) {
  return page.getByRole('main').getByRole('heading', { level: 1 });
}

/**
 * Waits until the application answers links in the place of the prerendered page. It is loaded when
 * a reader is about to use it, so this points at a link first; React's own mark on an element says
 * that it has taken it over.
 */
export async function takenOver(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'siftwren' }).hover();
  const isReacts = () =>
    title(page).evaluate((heading) =>
      Object.keys(heading).some((key) => key.startsWith('__react')),
    );
  await expect.poll(isReacts).toBe(true);
}

/**
 * Waits for the script that comes once a page can be seen: it follows what readers scroll, and its first work names the manifest.
 */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('link[rel=manifest]')).toBeAttached();
}

/** The link at the foot of a page to the one after it. */
export function nextPage(page: Page) {
  return page.getByRole('navigation', { name: 'Previous and next page' }).locator('[rel=next]');
}
