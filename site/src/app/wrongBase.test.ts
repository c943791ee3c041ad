import { expect, test } from 'vitest';
import { wrongBaseBanner, wrongBaseLinks } from './wrongBase';

/** Where the links of a page lead when it is shown at an address. */
function links(path: string, address: string): string[] {
  const holder = document.createElement('div');
  holder.innerHTML = wrongBaseLinks({ kind: 'doc', path });
  return [...holder.querySelectorAll('a')].map(
    (link) => new URL(link.getAttribute('href') ?? '', address).pathname,
  );
}

test.each([
  ['/docs/metrics/ndcg', 'https://x.example/team/docs/metrics/ndcg', 0],
  ['/docs/metrics/ndcg', 'https://x.example/team/docs/metrics/ndcg/', 1],
  ['/docs', 'https://x.example/team/docs', 0],
  ['/docs', 'https://x.example/team/docs/', 1],
  ['/', 'https://x.example/team/', 0],
])('of the page %s at %s, link %i leads to the help at the real base', (path, address, which) => {
  expect(links(path, address)[which]).toBe('/team/base.html');
});

test('a page whose place is not known suggests nothing that may be wrong', () => {
  const banner = wrongBaseBanner('/book/', { kind: 'not-found', path: '' });
  expect(banner).toContain('<code>/book/</code>');
  expect(banner).not.toContain('Suggested');
  expect(wrongBaseLinks({ kind: 'not-found', path: '' })).toBe('');
});
