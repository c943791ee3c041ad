import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { expect, test, vi } from 'vitest';
import { readPage } from '../features/page/readPage';
import { localeOf } from '../shared/content/locales';
import type { Page, SectionNav } from '../shared/content/model';
import { SiteContext } from '../shared/content/SiteContext';
import { docPage, inTwoLanguages, metricsNav, site } from '../shared/content/testSite';
import { sayIn, type Words } from '../shared/content/words';
import { FAILURES } from './boot/failures';
import { propose } from './boot/missing';
import { documentHtml } from './documentHtml';
import { createRoutes } from './routes';

const LOCAL = { mode: 'local', apiUrl: null, model: null, key: null } as const;
const search = { ...LOCAL, wasmUrl: '/book/s.wasm', siteRoot: '/book/', languages: [] };
const searched = { ...site, search };
const NEAR = {
  address: '/docs/metrics/ndgc',
  query: 'metrics ndgc',
  pages: [{ path: '/docs/metrics/ndcg', title: 'nDCG' }],
};
const INLINE = { first: 'first()', plainAddress: 'plain()', styles: ['a{}', 'b{}'] };

/** The whole document, the way the prerender makes it. */
async function render(
  page: Page,
  nav: SectionNav | null,
  data = site,
  words: Words | null = null,
): Promise<Document> {
  const handler = createStaticHandler(
    createRoutes({ load: () => Promise.resolve({ page, nav, words }) }, '/book/'),
    { basename: '/book' },
  );
  const context = await handler.query(new Request(`http://test/book${page.path}`));
  if (context instanceof Response) throw new Error('redirect');
  const body = renderToString(
    <SiteContext value={data}>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </SiteContext>,
  );
  const html = documentHtml({
    title: 'T <1>',
    description: page.kind === 'doc' ? page.description : null,
    tags: [],
    language: localeOf(data.locales, page.path).tag,
    noIndex: false,
    icon: { href: '/book/favicon.svg', type: 'image/svg+xml' },
    base: '/book/',
    assets: { boot: '/book/assets/boot.js', sheet: '/book/a.css' },
    inline: INLINE,
    site: '/book/assets/site.json',
    nav: null,
    words: words && { said: words, address: '/book/w.json' },
    worker: null,
    analytics: null,
    announcement: null,
    hasSearch: false,
    searchProblem: null,
    page,
    body,
  });
  return new DOMParser().parseFromString(html, 'text/html');
}

const main = (document: Document) => document.querySelector('main')?.innerHTML;
const root = (document: Document) => document.getElementById(':app') as HTMLElement;
const hrefs = (document: Document, selector: string) =>
  [...document.querySelectorAll(selector)].map((link) => link.getAttribute('href'));

test.each<[string, Page]>([
  ['a page with everything', docPage],
  [
    'a page with nothing around its text',
    { ...docPage, toc: [], previous: null, next: null, editUrl: null, lastChange: null },
  ],
  [
    'a page outside of the sections',
    {
      ...docPage,
      section: { id: '', title: '' },
      toc: ['a', 'b', 'c'].map((id) => ({ id, title: id, level: 2 })),
    },
  ],
  ['the start page', { kind: 'home', path: '/docs', example: null }],
  [
    'the start page with an example',
    {
      kind: 'home',
      path: '/docs',
      example: {
        query: 'how good & quick',
        hits: [
          { path: '/docs/metrics/ndcg', title: 'nDCG <1>', section: 'Metrics', score: 0.87654 },
          { path: '/docs', title: 'Start', section: 'Overview', score: 0.5 },
        ],
      },
    },
  ],
  ['the not-found page', { kind: 'not-found', path: '', near: null }],
  ['the not-found page that knows near ones', { kind: 'not-found', path: '', near: NEAR }],
])('%s can be read back from its HTML', async (_, page) => {
  const document = await render(page, page.kind === 'doc' ? metricsNav : null, searched);
  expect(document.querySelectorAll('main h1')).toHaveLength(1);
  expect(readPage(root(document), '/book/')).toEqual(page);
});

test('what a page says of other languages can be read back', async () => {
  const page = { ...docPage, translations: [{ tag: 'fr', path: '/docs/fr/metrics/ndcg' }] };
  const document = await render(page, metricsNav, { ...site, locales: inTwoLanguages });
  expect(readPage(root(document), '/book/')).toEqual(page);
});

test('the not-found page gets near ones from its script as from the application', async () => {
  const missing: Page = { kind: 'not-found', path: '', near: null };
  const { body } = await render(missing, null, searched);
  document.body.innerHTML = body.innerHTML;
  history.replaceState(null, '', `/book${NEAR.address}`);
  const answers: Record<string, unknown> = { '/site.json': searched, '/book/n2.json': metricsNav };
  const { dataset } = root(document);
  const takeOver = vi.fn();
  const options = { base: '/book/', site: '/site.json', say: sayIn(null, 'en'), takeOver };
  // The application may come while near pages are looked for.
  vi.stubGlobal('fetch', async (url: string) => {
    if (url === '/book/n2.json') dataset.takenOver = '';
    return Response.json(answers[url]);
  });
  await propose(options);
  delete dataset.takenOver;
  expect(document.body.innerHTML).toBe(body.innerHTML);

  vi.stubGlobal('fetch', async (url: string) => Response.json(answers[url]));
  await propose(options);
  expect(takeOver).not.toHaveBeenCalled();
  const found = await render({ ...missing, near: NEAR }, null, searched);
  expect(main(document)).toBe(main(found));
});

test('a page for wrong addresses that is of another language leaves them to the application', async () => {
  const takeOver = vi.fn();
  const open = async (path: string) => {
    const { body } = await render({ kind: 'not-found', path, near: null }, null, searched);
    document.body.innerHTML = body.innerHTML;
    history.replaceState(null, '', '/book/docs/fr/metrics/ndgc');
    const answers: Record<string, unknown> = {
      '/site.json': { ...searched, locales: inTwoLanguages },
    };
    vi.stubGlobal('fetch', async (url: string) => Response.json(answers[url] ?? metricsNav));
    await propose({ base: '/book/', site: '/site.json', say: sayIn(null, 'en'), takeOver });
    return document.querySelector('[data-missing]')?.textContent;
  };
  expect(await open('')).toBe('');
  expect(takeOver).toHaveBeenCalledTimes(1);
  expect(await open('/docs/fr/')).toBe('/docs/fr/metrics/ndgc');
  expect(takeOver).toHaveBeenCalledTimes(1);
});

test('a page without a script has its text and every way on', async () => {
  const document = await render(docPage, metricsNav);
  expect(document.querySelector('h1')?.textContent).toBe('nDCG & friends');
  expect(document.querySelector('.prose code')?.textContent).toBe('a < b');
  expect(hrefs(document, 'body :not(header) > a').slice(0, 2)).toEqual(['#:main', '#:menu']);
  expect(hrefs(document, 'nav[aria-label=Main] a')).toEqual([
    '/book/docs',
    '/book/docs/metrics/overview',
    '/book/docs/metrics/ndcg',
    '/book/docs/metrics/ndcg',
    'https://siftwren.example/register',
  ]);
  expect(hrefs(document, 'nav[aria-label=Breadcrumb] a')).toEqual([
    '/book/docs',
    '/book/docs/metrics/overview',
  ]);
  expect(hrefs(document, '[data-toc] a')).toEqual(['#definition', '#größe']);
  expect(hrefs(document, 'a[rel=prev], a[rel=next]')).toEqual([
    '/book/docs/metrics/overview',
    '/book/docs/metrics/ctr',
  ]);
});

test('the page of a section stands once on the way to it', async () => {
  const crumbs = async (title: string) => {
    const page = { ...docPage, path: '/docs/metrics/overview', title };
    const document = await render(page, metricsNav);
    const items = document.querySelectorAll('nav[aria-label=Breadcrumb] li');
    return [...items].map(({ textContent }) => textContent);
  };
  expect(await crumbs('Metrics')).toEqual(['Home', 'Metrics']);
  expect(await crumbs('Overview')).toEqual(['Home', 'Metrics', 'Overview']);
});

test('an announcement leads to a page of the site, or to another site', async () => {
  for (const [href, expected] of [
    ['/docs/metrics/ndcg', '/book/docs/metrics/ndcg'],
    ['https://else.example/x', 'https://else.example/x'],
  ] as const) {
    const announcement = { id: 'a', text: 'News', href };
    const document = await render(docPage, metricsNav, { ...site, announcement });
    expect(hrefs(document, 'section[aria-label=Announcement] a')).toEqual([expected]);
  }
});

test('the sidebar lists the current section only, and opens the folder of the page', async () => {
  const document = await render(docPage, metricsNav);
  const sidebar = 'nav[aria-label=Documentation]';
  expect(hrefs(document, `${sidebar} a`)).toEqual([
    '/book/docs/overview/welcome',
    '/book/docs/metrics/overview',
    '/book/docs/metrics/overview',
    '/book/docs/metrics/ndcg',
    '/book/docs/metrics/ndcg',
    '/book/docs/metrics/ctr',
  ]);
  const current = document.querySelectorAll(`${sidebar} [aria-current=page]`);
  expect([...current].map((link) => link.textContent)).toEqual(['nDCG']);
});

test('the most specific link of the navbar is the current one', async () => {
  const document = await render({ ...docPage, path: '/docs/metrics/overview' }, metricsNav);
  const current = document.querySelectorAll('nav[aria-label=Main] > ul > li > [aria-current]');
  expect([...current].map((link) => link.textContent)).toEqual(['Metrics']);
});

test('nothing in the document is inline but what the policy names', async () => {
  const document = await render(docPage, metricsNav);
  const inline = [...document.querySelectorAll('script:not([src]), style')];
  expect(inline.map(({ textContent }) => textContent)).toEqual([INLINE.first, ...INLINE.styles]);
  const attributes = [...document.querySelectorAll('*')].flatMap((element) =>
    element.getAttributeNames().filter((name) => name === 'style' || name.startsWith('on')),
  );
  expect(attributes).toEqual([]);
});

test('an address with .html is left before anything is seen, where no page is', async () => {
  const scripts = async (page: Page) =>
    [...(await render(page, null)).querySelectorAll('script')].map(({ text }) => text);
  expect(await scripts({ kind: 'not-found', path: '/404', near: null })).toEqual([
    INLINE.plainAddress,
    INLINE.first,
  ]);
  expect(await scripts(docPage)).toEqual([INLINE.first]);
});

test('what an author writes into a title stays text', async () => {
  const document = await render(
    { ...docPage, title: '<img src=x onerror=alert(1)>', description: '"><script>1</script>' },
    metricsNav,
  );
  expect(document.querySelectorAll('img')).toHaveLength(0);
  expect(document.querySelectorAll('script')).toHaveLength(1);
  expect(document.title).toBe('T <1>');
  expect(document.querySelector('meta[name=description]')?.getAttribute('content')).toBe(
    '"><script>1</script>',
  );
});

test('the words around a text are those of its language', async () => {
  const words = {
    Home: 'Accueil',
    'On this page': 'Sur cette page',
    'Last changed {date}': 'Modifiée le {date}.',
    Close: 'Fermer',
    'All {count} sections': { one: 'La section', other: 'Les {count} sections' },
  };
  const [english] = site.locales;
  const french = {
    tag: 'fr',
    label: null,
    root: '/docs/fr',
    start: '/docs/fr',
    allPages: null,
    words: 'w.json',
    own: null,
  };
  const data = { ...site, locales: english ? [english, french] : [] };
  const page = {
    ...docPage,
    path: '/docs/fr/metrics/ndcg',
    lastChange: '2026-11-21',
    translations: [{ tag: 'en', path: '/docs/metrics/ndcg' }],
  };
  const document = await render(page, metricsNav, data, words);
  expect(document.querySelector('article nav a')?.textContent).toBe('Accueil');
  expect(document.querySelector('summary + nav[data-toc], [data-toc] p')?.textContent).toBe(
    'Sur cette page',
  );
  const facts = document.querySelector('time')?.parentElement?.textContent;
  expect(facts).toBe('Modifiée le 21 novembre 2026.');
  // What nobody has said in the language is English.
  expect(document.querySelector('a[href="#:main"]')?.textContent).toBe('Skip to content');
  const settings = document.querySelector<HTMLElement>('[data-boot]')?.dataset;
  expect(settings?.words).toBe('/book/w.json');
  const failures = JSON.parse(settings?.failures ?? '');
  expect(failures).toEqual({ ...FAILURES, close: 'Fermer' });
  expect(readPage(root(document), '/book/')).toEqual(page);

  const inEnglish = await render(docPage, metricsNav, data);
  const { words: address, failures: none } =
    inEnglish.querySelector<HTMLElement>('[data-boot]')?.dataset ?? {};
  expect([address, none]).toEqual([undefined, undefined]);
});
