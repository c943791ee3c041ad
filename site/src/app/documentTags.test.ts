import { expect, test } from 'vitest';
import { type Described, documentTags } from './documentTags';

const page: Described = {
  kind: 'article',
  title: 'A </script><script>alert(1)</script> & "title"',
  description: 'About <it>.',
  siteName: 'siftwren',
  language: 'en',
  languages: [],
  canonical: 'https://docs.example/docs/metrics/ndcg',
  image: 'https://docs.example/cards/1.png',
  above: [{ name: 'Metrics', url: 'https://docs.example/docs/metrics/overview' }],
  lastChange: '2026-11-21',
  markdown: '/docs/metrics/ndcg.md',
  feed: null,
};

function head(described: Described): HTMLHeadElement {
  const html = `<!doctype html><head>${documentTags(described).join('')}</head>`;
  return new DOMParser().parseFromString(html, 'text/html').head;
}

function content(described: Described, name: string): string | null {
  return head(described).querySelector(`meta[property="${name}"]`)?.getAttribute('content') ?? null;
}

test('a page says what it is, and nothing that a title says becomes markup', () => {
  const { children } = head(page);
  expect([...children].map(({ tagName }) => tagName)).not.toContain('BODY');
  expect(head(page).querySelectorAll('script')).toHaveLength(1);
  expect(content(page, 'og:title')).toBe(page.title);
  expect(content(page, 'og:image')).toBe('https://docs.example/cards/1.png');
  const data: unknown = JSON.parse(head(page).querySelector('script')?.textContent ?? '');
  expect(data).toMatchObject({
    '@graph': [
      { '@type': 'TechArticle', headline: page.title, dateModified: '2026-11-21' },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { position: 1, name: 'Metrics' },
          { position: 2, item: 'https://docs.example/docs/metrics/ndcg' },
        ],
      },
    ],
  });
});

test('the start page is the site itself', () => {
  const data: unknown = JSON.parse(
    head({ ...page, kind: 'website', above: [] }).querySelector('script')?.textContent ?? '',
  );
  expect(data).toMatchObject({ '@graph': [{ '@type': 'WebSite', name: 'siftwren' }] });
});

test('a site that does not know its address names only what is beside the page', () => {
  const local = head({ ...page, canonical: null, image: null });
  expect(local.querySelectorAll('meta, script')).toHaveLength(0);
  expect(local.querySelector('link')?.outerHTML).toBe(
    '<link rel="alternate" type="text/markdown" href="/docs/metrics/ndcg.md">',
  );
});
