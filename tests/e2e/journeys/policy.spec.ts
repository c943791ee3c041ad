/** The content security policy: strict, in force, and never in the way of the site itself. */
import { pagePaths } from '../support/builtSite.js';
import { expect, nextPage, takenOver, test, title } from '../support/fixtures.js';
import { PLATFORM_ORIGIN } from '../support/environment.js';

const HASH = /^'sha256-[\w+/]{43}='$/;

test('every answer carries the strict policy', async ({ request }) => {
  for (const path of ['/', ...pagePaths(), '/docs/no-such-page']) {
    const headers = (await request.get(path)).headers();
    const policy = headers['content-security-policy'] ?? '';
    const directives = new Map(
      policy.split(';').map((directive) => {
        const [name = '', ...values] = directive.trim().split(/\s+/);
        return [name, values] as const;
      }),
    );
    expect(policy, path).not.toMatch(/'unsafe-inline'|'unsafe-eval'|'unsafe-hashes'|\*/);
    expect(directives.get('default-src'), path).toEqual(["'none'"]);
    const [self, wasm, ...inline] = directives.get('script-src') ?? [];
    expect([self, wasm], path).toEqual(["'self'", "'wasm-unsafe-eval'"]);
    expect(inline.map((source) => HASH.test(source)), path).toEqual([true, true]);
    const styles = directives.get('style-src') ?? [];
    expect(styles[0], path).toBe("'self'");
    expect(styles.slice(1).filter((source) => !HASH.test(source)), path).toEqual([]);
    expect(directives.get('connect-src'), path).toEqual(["'self'", PLATFORM_ORIGIN]);
    expect(directives.get('worker-src'), path).toEqual(["'self'"]);
    for (const name of ['base-uri', 'form-action', 'frame-ancestors']) {
      expect(directives.get(name), `${name} of ${path}`).toEqual(["'none'"]);
    }
    expect(directives.get('require-trusted-types-for'), path).toEqual(["'script'"]);
    expect(headers['x-content-type-options'], path).toBe('nosniff');
    expect(headers['referrer-policy'], path).toBe('no-referrer');
    expect(headers['cross-origin-opener-policy'], path).toBe('same-origin');
  }
});

test('the policy refuses what it must, and these tests would see it', async ({
  page,
  problems,
}) => {
  await page.goto('/docs/metrics/ndcg');
  const outcome = await page.evaluate(async () => {
    // The browser lets the code of a test evaluate text until it first waits.
    await new Promise((resolve) => setTimeout(resolve));
    const refused = (attempt: () => unknown) => {
      try {
        attempt();
        return false;
      } catch {
        return true;
      }
    };
    const image = document.createElement('img');
    const style = document.createElement('p');
    style.setAttribute('style', 'color: rgb(1, 2, 3)');
    document.body.append(style);
    return {
      markup: refused(() => {
        document.body.innerHTML = '<p>replaced</p>';
      }),
      evaluation: refused(() => new Function('return 1')()),
      handler: refused(() => image.setAttribute('onerror', 'globalThis.__ran = true')),
      worker: refused(() => new Worker('/elsewhere.js')),
      style: getComputedStyle(style).color !== 'rgb(1, 2, 3)',
    };
  });
  expect(outcome).toEqual({
    markup: true,
    evaluation: true,
    handler: true,
    worker: true,
    style: true,
  });
  // The reports arrive a moment after the attempts.
  await expect
    .poll(() => problems.all().map((problem) => problem.split(' ').slice(0, 2).join(' ')))
    .toEqual(
      expect.arrayContaining([
        'policy: require-trusted-types-for',
        'policy: style-src-attr',
        'console: This',
      ]),
    );
  problems.forget();
});

test.describe('with the worker', () => {
  test.use({ serviceWorkers: 'allow' });

  // The rule that no test ends with an unexpected error or violation is in the fixtures.
  test('every page, the search and a navigation need nothing that the policy refuses', async ({
    page,
    search,
  }) => {
    test.setTimeout(120_000);
    for (const path of pagePaths()) {
      await page.goto(path);
      await takenOver(page);
    }
    await search.open();
    await search.searchFor('recall');
    await search.expectHits('live');
    await page.keyboard.press('Escape');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.goto('/docs/metrics/ndcg');
    await takenOver(page);
    await nextPage(page).click();
    await expect(title(page)).not.toHaveText('nDCG');
  });
});
