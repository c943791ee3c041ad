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
  fetchedFiles,
  otherBuild,
  productByHash,
  productOf,
} from '../support/deployments.js';
import { answers } from '../support/answers.js';
import { INTERLEAVINGS, INTERLEAVINGS_SEED } from '../support/environment.js';
import { expect, test as base } from '../support/fixtures.js';
import { addressOf, SearchModal } from '../support/searchModal.js';

const START = '/docs/overview/quickstart';
const DATA = `/fragments/pages${START}.json`;
const KILL_SWITCH = join(import.meta.dirname, '../../../site/src/service-worker/killSwitch.js');

const test = base.extend<{ deployments: Deployments }>({
  serviceWorkers: 'allow',
  // The platform answers the site under test, not these: they search in their own index.
  expectedErrors:
    /Failed to load resource|ERR_|integrity|blocked by CORS|siftwren: live search failed|The docs could not be stored/,
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

/** In the storage of a tab whose page was loaded anew because the browser had put an agreed update off. */
const PUT_OFF = 'siftwren-update-agreed';

test.beforeEach(({ context }) =>
  context.addInitScript((key) => {
    if (!location.protocol.startsWith('http')) return;
    Object.assign(window, { wasPutOff: sessionStorage.getItem(key) !== null });
  }, PUT_OFF),
);

async function accept(page: Page, { byKey = false } = {}): Promise<void> {
  const button = page.getByRole('button', { name: 'Update' });
  // Nobody presses anything in a tab behind another; there it would wait for frames, which are few, for up to many seconds.
  await page.bringToFront();
  await button.click({ trial: true });
  const reloaded = page.waitForEvent('load', { timeout: 60_000 });
  if (byKey) {
    await button.press('Enter');
    await expect(page.getByRole('button', { name: 'Close' })).toBeFocused();
  } else {
    await button.click();
  }
  await reloaded;
  // Such a page is loaded anew once more. With two tabs that the test looks into, Chromium takes five minutes.
  await page.waitForFunction(() => 'wasPutOff' in window && !window.wasPutOff, null, {
    timeout: 330_000,
  });
  await page.waitForLoadState();
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

test('W2: an update of which any file fails in any way leaves the old version whole, and nothing of itself', async ({
  page,
  deployments,
}) => {
  test.setTimeout(240_000);
  await visit(page, deployments.origin + START);
  const next = otherBuild('B');
  const files = fetchedFiles(builtSite(), next);
  expect(files.length).toBeGreaterThan(7);
  deployments.publish(next);
  const stored = await storedBuilds(page);
  expect(stored).toHaveLength(1);
  for (const file of files) {
    for (const fault of FAULTS) {
      deployments.fail(file, fault);
      expect(await update(page), `${file} ${fault}`).toBe('redundant');
      const text = await page.evaluate(async (url) => (await fetch(url)).text(), DATA);
      expect(text.includes(NEW), `${file} ${fault}`).toBe(false);
      expect(await storedBuilds(page), `${file} ${fault}`).toEqual(stored);
    }
  }
  await expectOffline(page, deployments, OLD);

  // What the browser's own cache holds of the failures does not stay in the way.
  deployments.fail();
  await page.goto(deployments.origin + START);
  await expect(page.getByRole('button', { name: 'Update' })).toBeVisible({ timeout: 20_000 });
  expect(await seenBuilds(page)).toEqual([OLD]);
  await accept(page);
  expect(await seenBuilds(page)).toEqual([NEW]);
  expect(await storedBuilds(page)).toHaveLength(1);
  await expectOffline(page, deployments, NEW);
});

/** The builds of which anything is stored. */
function storedBuilds(page: Page): Promise<string[]> {
  return page.evaluate(async () =>
    (await caches.keys()).filter((name) => name.startsWith('siftwren-build-')),
  );
}

test('W3: no tab ever shows two builds, nor another one before a reader agrees, whatever is published, accepted, read and searched meanwhile', async ({
  page,
  context,
  deployments,
}) => {
  test.setTimeout(120_000 + INTERLEAVINGS * 4_000);
  const builds: Build[] = [builtSite(), otherBuild('B'), otherBuild('C')];
  await visit(page, deployments.origin + START);
  const second = await context.newPage();
  await second.goto(`${deployments.origin}/docs/metrics/ndcg`);
  const shown = new Map([page, second].map((tab) => [tab, OLD]));
  let accepted = OLD;
  const seen = new Set<string>();
  let updates = 0;
  const random = drawing(INTERLEAVINGS_SEED);
  const publish = () => deployments.publish(builds[random(builds.length)] ?? builtSite());
  const agree = async (tab: Page) => {
    if (!(await tab.getByRole('button', { name: 'Update' }).isVisible())) return;
    await accept(tab);
    [accepted = ''] = await seenBuilds(tab);
    updates += 1;
  };
  for (let step = 0; step < INTERLEAVINGS; step += 1) {
    const [tab, other] = random(2) === 0 ? [page, second] : [second, page];
    // What a tab does, and what happens to the site while it does.
    const action = random(6);
    const isDisturbed = random(3) === 0;
    const agreed = accepted;
    const link = random(4);
    const disturbed = async () => {
      publish();
      await lookForUpdate(other);
      if (action === 5) await agree(other);
    };
    const acted = async () => {
      if (action === 0) publish();
      else if (action === 1) await lookForUpdate(tab);
      else if (action === 2) await agree(tab);
      else if (action === 3) await tab.reload();
      else if (action === 4) await searchFor(tab, 'recall');
      else await followLink(tab, link);
    };
    await Promise.all([acted(), isDisturbed ? disturbed() : undefined]);
    for (const [each, before] of shown) {
      await each.waitForLoadState();
      await answers(each);
      const where = `step ${step} at ${each.url()}`;
      const products = await seenBuilds(each);
      expect(products, where).toHaveLength(1);
      const [product = ''] = products;
      expect([before, agreed, accepted], where).toContain(product);
      expect(await loadedBuilds(each), where).toEqual([product]);
      shown.set(each, product);
      seen.add(product);
    }
  }
  console.log(
    `interleavings: ${INTERLEAVINGS} steps, seed ${INTERLEAVINGS_SEED}, ${updates} updates accepted, builds seen ${seen.size}, mixed 0`,
  );
  expect([...seen].length, 'the walk came past several builds').toBeGreaterThan(1);
});

test('W3: an update that a reader agrees to does not wait for what the build before is still storing', async ({
  page,
  deployments,
}) => {
  const pages = fetchedFiles(new Map(), builtSite()).find((file) => file.includes('offline-'));
  deployments.fail(pages, 'never answered');
  await page.goto(deployments.origin + START);
  await expect(page.locator('html')).toHaveAttribute('data-offline', 'storing');
  await expect.poll(() => deployments.faulty, { timeout: 20_000 }).toBeGreaterThan(0);
  deployments.publish(otherBuild('B'));
  expect(await update(page)).toBe('installed');
  await accept(page, { byKey: true });
  expect(await seenBuilds(page)).toEqual([NEW]);
  await expectStored(page);
  await expectOffline(page, deployments, NEW);
});

/** What becomes of it is not waited for. */
async function lookForUpdate(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update().catch(() => undefined);
  });
}

async function followLink(page: Page, number: number): Promise<void> {
  const before = page.url();
  const links = page.getByRole('main').locator('a[href^="/docs/"]:not([href*="#"]):visible');
  await links.nth(number % (await links.count())).click();
  await expect.poll(() => page.url()).not.toBe(before);
}

/** Numbers by chance, the same in every run: what fails once can be looked at. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Opens the first result, unless the search is of a build that is gone: then its page is loaded anew, or says so. */
async function searchFor(page: Page, query: string): Promise<void> {
  const search = new SearchModal(page);
  await page.waitForLoadState();
  await answers(page);
  const outcome = Promise.race([
    search.field.waitFor().then(() => 'opened'),
    page.waitForEvent('load').then(() => 'loaded anew'),
    page.getByText('Search could not be loaded').waitFor(),
  ]);
  await page.keyboard.press('/');
  if ((await outcome) !== 'opened') return;
  await search.searchFor(query);
  await search.expectHits('offline');
  const target = await addressOf(search.selected);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(target.href);
  await expect(search.dialog).toBeHidden();
}

/** The builds that the files of a page are of. */
async function loadedBuilds(page: Page): Promise<string[]> {
  const hashes = await page.evaluate(() =>
    [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
      .map(({ name }) => /\/assets\/[^/]*-([\w-]{8,10})\.\w+$/.exec(name)?.[1])
      .filter((hash) => hash !== undefined),
  );
  return [...new Set(hashes.map(productByHash))];
}

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
  const left = async () => ({
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    controller: navigator.serviceWorker.controller?.scriptURL ?? null,
  });
  await expect
    .poll(() => page.evaluate(left), { timeout: 10_000 })
    .toEqual({ caches: [], workers: 0, controller: null });
});

const KIB = 1024;
const QUOTAS: [kib: number, says: string | null][] = [
  // Not even the shell is stored, so there is no worker that could say something.
  [1, null],
  [64, null],
  [512, 'full'],
  [2_048, 'full'],
];
for (const [kib, says] of QUOTAS) {
  // How much room there is, browsers tell only roughly: the second time the worker learns it by failing.
  for (const isKnown of [true, false]) {
    test(`W5: with ${kib} KiB of storage${isKnown ? '' : ' by surprise'} the site works while there is a network`, async ({
      page,
      context,
      deployments,
    }) => {
      const session = await context.newCDPSession(page);
      const { origin } = deployments;
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: kib * KIB });
      if (!isKnown) deployments.publish(withUnknownQuota(builtSite()));
      const [worker] = await Promise.all([
        context.waitForEvent('serviceworker'),
        page.goto(origin + START),
      ]);
      expect(worker.url()).toBe(`${origin}/sw.js`);
      await expect.poll(() => outcome(page), { timeout: 20_000 }).toBe(says ?? 'no worker');
      if (says !== null) {
        await expect(page.getByRole('contentinfo')).toContainText('No room', { useInnerText: true });
      }
      await page.reload();
      await page.getByRole('main').locator('a[rel=next]').click();
      await expect(page).not.toHaveURL(origin + START);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      await searchFor(page, 'recall');
      await expect(page).toHaveURL(/recall/);
    });
  }
}

/** What the page says of its storage; while it says nothing, whether a worker could. */
function outcome(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { offline = 'storing' } = document.documentElement.dataset;
    if (offline !== 'storing') return offline;
    const registration = await navigator.serviceWorker.getRegistration();
    return registration ? 'storing' : 'no worker';
  });
}

/** A site whose worker is told of no limit. */
function withUnknownQuota(build: Build): Build {
  const worker = build.get('sw.js')?.toString('utf8') ?? '';
  const unknown = 'StorageManager.prototype.estimate = async () => ({});';
  return new Map(build).set('sw.js', Buffer.from(`${unknown}\n${worker}`));
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
  // What stands in for pages that are not stored came with the worker, and is there again too.
  await deployments.withoutNetwork(async () => {
    await page.goto(`${deployments.origin}/docs/never-stored.pdf`);
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  });
});
