// @vitest-environment node
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SectionLink } from '../shared/content/model';
import { findNearPages, nearPages, pagesOf, wordsOf } from './nearPages';

const PAGES = [
  ['/docs/metrics/ndcg', 'nDCG'],
  ['/docs/metrics/recall', 'Recall'],
  ['/docs/metrics/overview', 'Metrics overview'],
  ['/docs/connectors/custom', 'Custom connector'],
  ['/docs/connectors/overview', 'Connectors overview'],
  ['/docs/overview/quickstart', 'Quickstart'],
  ['/docs/overview/welcome', 'Welcome'],
  ['/docs/model_library/two_tower', 'Two tower'],
].map(([path = '', title = '']) => ({ path, title }));

test.each([
  ['/docs/metrics/ndgc', '/docs/metrics/ndcg'],
  ['/docs/metric/ndcg', '/docs/metrics/ndcg'],
  ['/docs/ndcg', '/docs/metrics/ndcg'],
  ['/ndcg', '/docs/metrics/ndcg'],
  ['/docs/connectors/recall', '/docs/metrics/recall'],
  ['/docs/Overview/Quick-Start.html', '/docs/overview/quickstart'],
  ['/docs/model-library/two-tower/index.html', '/docs/model_library/two_tower'],
  ['/docs/metrics/recall/deeper', '/docs/metrics/recall'],
  ['/docs/custom-conector', '/docs/connectors/custom'],
])('%s is near %s', (path, wanted) => {
  expect(nearPages(path, PAGES, '/docs')[0]?.path).toBe(wanted);
});

test.each([
  ['/docs/metrics', '/docs/metrics/overview'],
  ['/docs/metrics/', '/docs/metrics/overview'],
  ['/docs/Metrics/index.html', '/docs/metrics/overview'],
  ['/metrics', '/docs/metrics/overview'],
  ['/docs/metrisc', '/docs/metrics/overview'],
  // One that stands for nothing is more alike, and a section begins with another one.
  ['/docs/guides', '/docs/guides/start'],
  // Of two the one that is called so.
  ['/docs/connectors', '/docs/connectors/overview'],
])('%s is the folder of %s', (path, wanted) => {
  const pages = [
    ...['adoption', 'auc', 'zeta'].map((name) => ({ path: `/docs/metrics/${name}`, title: name })),
    { path: '/docs/guides/guide', title: 'Guide' },
    { path: '/docs/guides/start', title: 'Start', isFirst: true },
    { path: '/docs/connectors/custom', title: 'Custom', isFirst: true },
    ...PAGES.filter((page) => page.path !== '/docs/connectors/custom'),
  ];
  expect(nearPages(path, pages, '/docs')[0]?.path).toBe(wanted);
});

test('the address of a folder is answered by the page that its section begins with', async () => {
  const path = '/docs/metrics/zeta';
  const section = { id: 'm', language: null, title: 'Metrics', path, nav: '', pages: 2 };
  const found = await findNearPages('/docs/metrics', [section], '/docs', async ({ id }) => ({
    id,
    items: ['zeta', 'auc'].map((name) => ({
      path: `/docs/metrics/${name}`,
      title: name,
      items: [],
    })),
  }));
  expect(found.map(({ title }) => title)).toEqual(['zeta', 'auc']);
});

test.each(['/docs/zqxjkvw', '/', '/docs', '/%', '/a/b/c', `/docs/${'x'.repeat(5000)}`])(
  'nothing is near %.20s',
  (path) => {
    expect(nearPages(path, PAGES, '/docs')).toEqual([]);
  },
);

test('at most four, each once', () => {
  const many = Array.from({ length: 50 }, (_, index) => ({
    path: `/docs/metrics/recall-${index}`,
    title: 'Recall',
  }));
  expect(nearPages('/docs/metrics/recall', many, '/docs')).toHaveLength(4);
});

test('for any address: pages of the site, best first the same whatever their order', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.webPath(), (text, path) => {
      for (const address of [text, path]) {
        const found = nearPages(address, PAGES, '/docs');
        expect(PAGES).toEqual(expect.arrayContaining(found));
        expect(nearPages(address, [...PAGES].reverse(), '/docs')).toEqual(found);
      }
    }),
    { numRuns: 50 },
  );
}, 30_000);

test('an address that is one of the site is nearest to itself', () => {
  for (const { path } of PAGES) expect(nearPages(path, PAGES, '/docs')[0]?.path).toBe(path);
});

test('words of an address', () => {
  expect(wordsOf('/docs/Two_Tower%20Model/index.html')).toEqual(['docs', 'two', 'tower', 'model']);
  expect(wordsOf('/a%E0%A4%A.html')).toEqual(['a', 'e0', 'a4', 'a']);
});

test('an entry of the list that leads into a page is not a page', () => {
  const leaf = { items: [] };
  const items = [
    { path: '/api/data', title: 'Data', items: [{ path: '/api/data#get', title: 'Get', ...leaf }] },
    { path: null, title: 'More', items: [{ path: '/api/more', title: 'Rest', ...leaf }] },
  ];
  expect(pagesOf(items).map(({ path }) => path)).toEqual(['/api/data', '/api/more']);
});

test('on a site of many sections the lists of the nearest are asked for; one that is lost is left out', async () => {
  const sections: SectionLink[] = Array.from({ length: 40 }, (_, index) => ({
    id: `s${index}`,
    language: null,
    title: index === 33 ? 'Metrics' : `Part ${index}`,
    path: `/docs/s${index}/start`,
    nav: '',
    pages: 1,
  }));
  const asked: string[] = [];
  const found = await findNearPages('/docs/metrics/ndgc', sections, '/docs', async (section) => {
    asked.push(section.title);
    if (section.title !== 'Metrics') throw new Error('lost');
    return {
      id: section.id,
      items: [{ path: '/docs/metrics/ndcg', title: 'nDCG', items: [] }],
    };
  });
  expect(found).toEqual([{ path: '/docs/metrics/ndcg', title: 'nDCG' }]);
  expect(asked).toContain('Metrics');
  expect(asked).toHaveLength(12);
});

test('pages that are called alike are told apart by where they stand', async () => {
  const sections: SectionLink[] = ['API v1', 'API v2'].map((title, index) => ({
    id: title,
    language: null,
    title,
    path: `/docs/${index}`,
    nav: '',
    pages: 1,
  }));
  const found = await findNearPages('/docs/modelz', sections, '/docs', async ({ id, path }) => ({
    id,
    items: [
      { path: `${path}/models`, title: 'Models', items: [] },
      {
        path: null,
        title: 'Schemas',
        items: [{ path: `${path}/schemas/models`, title: 'Models', items: [] }],
      },
      { path: `${path}/modeling`, title: `Modelling in ${id}`, items: [] },
    ],
  }));
  const titles = new Map(found.map(({ path, title }) => [path, title]));
  expect(titles.get('/docs/0/models')).toBe('API v1 › Models');
  expect(titles.get('/docs/1/models')).toBe('API v2 › Models');
  expect(titles.get('/docs/0/schemas/models')).toBe('API v1 › Schemas › Models');
  expect(found[0]).toEqual({ path: '/docs/0/models', title: 'API v1 › Models' });
});
