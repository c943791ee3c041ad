/**
 * New builds of the site while readers have the old one: none is mixed with another, one that fails
 * changes nothing, and the publisher can go back or end it all. The plan's rows W2 to W5.
 */
import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Build,
  builtSite,
  Deployments,
  FAULTS,
  otherBuild,
  productOf,
  storedFiles,
} from '../support/deployments.js';
import { expect, test as base } from '../support/fixtures.js';

const START = '/docs/overview/quickstart';
const DATA = `/fragments/pages${START}.json`;
const KILL_SWITCH = join(import.meta.dirname, '../../../site/src/service-worker/killSwitch.js');

const test = base.extend<{ deployments: Deployments }>({
  serviceWorkers: 'allow',
  expectedErrors: /Failed to load resource|ERR_|integrity|siftwren: live search failed|The docs could not be stored/,
  deployments: async ({}, use) => {
    const deployments = await Deployments.start(builtSite());
    await use(deployments);
    await deployments.stop();
  },
});

async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expectStored(page);
}

async function expectStored(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-offline', 'stored', { timeout: 20_000 });
}

/** Looks for a new build, as the browser does now and then; what becomes of its worker. */
function update(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration) throw new Error('no worker');
    const outcome = new Promise<string>((resolve) => {
      registration.addEventListener(
        'updatefound',
        () => {
          const worker = registration.installing;
          worker?.addEventListener('statechange', () => {
            if (worker.state === 'installed' || worker.state === 'redundant') resolve(worker.state);
          });
        },
        { once: true },
      );
    });
    // A worker that fails at once rejects it; what counts is the outcome.
    await registration.update().catch(() => undefined);
    return outcome;
  });
}

async function accept(page: Page): Promise<void> {
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Update' }).click();
  await reloaded;
}

/** The builds that the texts on the screen are of. */
function seenBuilds(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...new Set(document.body.innerText.match(/(?<![-/_.\w])siftwr[a-zA-Z]n(?=\s|$)/g) ?? []),
  ]);
}

/** What a reader without a network gets. */
async function expectOffline(page: Page, site: Deployments, product: string): Promise<void> {
  await site.withoutNetwork(async () => {
    await page.goto(`${site.origin}/docs/overview/why-siftwren`);
    expect(await seenBuilds(page)).toEqual([product]);
  });
}

const [OLD, NEW] = ['siftwren', productOf('B')];

test('W2: an update of which any file fails leaves the old version whole', async ({
  page,
  deployments,
}) => {
  test.setTimeout(240_000);
  await visit(page, deployments.origin + START);
  const next = otherBuild('B');
  const files = storedFiles(next);
  expect(files.length).toBeGreaterThan(8);
  deployments.publish(next);
  for (const [index, file] of files.entries()) {
    // Every file in one way, and the file with all pages in every way.
    const faults = file.includes('offline-') ? FAULTS : FAULTS.slice(index % 4, (index % 4) + 1);
    for (const fault of faults) {
      deployments.fail(file, fault);
      expect(await update(page), `${file} ${fault}`).toBe('redundant');
      const text = await page.evaluate(async (url) => (await fetch(url)).text(), DATA);
      expect(text.includes(NEW), `${file} ${fault}`).toBe(false);
      await forget(page, files);
    }
  }
  await expectOffline(page, deployments, OLD);

  deployments.fail();
  await page.goto(deployments.origin + START);
  await expect(page.getByRole('button', { name: 'Update' })).toBeVisible({ timeout: 20_000 });
  expect(await seenBuilds(page)).toEqual([OLD]);
  await accept(page);
  expect(await seenBuilds(page)).toEqual([NEW]);
  await expectOffline(page, deployments, NEW);
});

/** Takes back what a failed attempt has stored, so that the next one needs every file again. */
async function forget(page: Page, files: readonly string[]): Promise<void> {
  await page.evaluate(async (paths) => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const { pathname, search } = new URL(request.url);
        const isNew = /B{4}/.test(pathname) || (search !== '' && paths.includes(pathname.slice(1)));
        if (isNew && !(await isInUse(pathname, request))) await cache.delete(request);
      }
    }
    // The old version's own files under names that both have carry another revision.
    async function isInUse(pathname: string, request: Request): Promise<boolean> {
      if (/B{4}/.test(pathname)) return false;
      return !(await (await caches.match(request))?.text())?.includes('siftwrBn');
    }
  }, files);
}

test('W3: no tab ever shows two builds, whatever is published, accepted and read meanwhile', async ({
  page,
  context,
  deployments,
}) => {
  test.setTimeout(240_000);
  const builds: Build[] = [builtSite(), otherBuild('B'), otherBuild('C')];
  await visit(page, deployments.origin + START);
  const second = await context.newPage();
  await second.goto(`${deployments.origin}/docs/metrics/ndcg`);
  // Always the same walk: what fails once can be looked at.
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const seen = new Set<string>();
  for (let step = 0; step < 60; step += 1) {
    const tab = random(2) === 0 ? page : second;
    switch (random(5)) {
      case 0:
        deployments.publish(builds[random(builds.length)] ?? builtSite());
        break;
      case 1:
        await tab.evaluate(async () => {
          await (await navigator.serviceWorker.getRegistration())?.update().catch(() => undefined);
        });
        break;
      case 2: {
        const button = tab.getByRole('button', { name: 'Update' });
        if (await button.isVisible()) await accept(tab);
        break;
      }
      case 3:
        await tab.reload();
        break;
      default: {
        const before = tab.url();
        const links = tab.getByRole('main').locator('a[href^="/docs/"]:not([href*="#"]):visible');
        await links.nth(random(Math.min(await links.count(), 4))).click();
        await expect.poll(() => tab.url()).not.toBe(before);
      }
    }
    for (const shown of [page, second]) {
      await shown.waitForLoadState();
      const products = await seenBuilds(shown);
      expect(products, `step ${step} at ${shown.url()}`).toHaveLength(1);
      for (const product of products) seen.add(product);
    }
  }
  expect([...seen].length, 'the walk came past several builds').toBeGreaterThan(1);
});

test('W4: publishing the build before brings it back', async ({ page, deployments }) => {
  await visit(page, deployments.origin + START);
  for (const [build, product] of [
    [otherBuild('B'), NEW],
    [builtSite(), OLD],
  ] as const) {
    deployments.publish(build);
    expect(await update(page)).toBe('installed');
    await accept(page);
    expect(await seenBuilds(page)).toEqual([product]);
    await expectStored(page);
  }
  await expectOffline(page, deployments, OLD);
});

test('W4: the kill switch removes the worker and all that it stored', async ({
  page,
  deployments,
}) => {
  await visit(page, deployments.origin + START);
  const ended = new Map(otherBuild('B')).set('sw.js', readFileSync(KILL_SWITCH));
  deployments.publish(ended);
  const reloaded = page.waitForEvent('load');
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });
  await reloaded;
  expect(await seenBuilds(page)).toEqual([NEW]);
  await expect
    .poll(() => page.evaluate(async () => (await caches.keys()).length), { timeout: 10_000 })
    .toBe(0);
});

for (const quota of [0, 64 * 1024, 512 * 1024, 1024 * 1024]) {
  test(`W5: with ${quota / 1024} KiB of storage the site works while there is a network`, async ({
    page,
    context,
    deployments,
  }) => {
    const session = await context.newCDPSession(page);
    const { origin } = deployments;
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: quota });
    await page.goto(origin + START);
    await page.waitForTimeout(4_000);
    expect(await page.locator('html').getAttribute('data-offline')).not.toBe('stored');
    await page.reload();
    await page.getByRole('main').locator('a[rel=next]').click();
    await expect(page).not.toHaveURL(origin + START);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  });
}

test('W5: what was evicted under an open page is fetched, and stored again at the next visit', async ({
  page,
  deployments,
}) => {
  await visit(page, deployments.origin + START);
  const clear = async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  };
  await page.evaluate(clear);
  await page.getByRole('main').locator('a[rel=next]').click();
  await expect(page).not.toHaveURL(deployments.origin + START);
  await page.evaluate(clear);
  await page.goto(`${deployments.origin}/docs/metrics/ndcg`);
  await expectStored(page);
  await expectOffline(page, deployments, OLD);
});
