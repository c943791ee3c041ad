/** A small site for tests. */
import type { DocPage, Locale, SectionNav, SiteData } from './model';

export const site: SiteData = {
  build: 'b1',
  title: 'siftwren',
  tagline: 'Ranked answers',
  logo: null,
  isTitleInLogo: false,
  base: '/book/',
  homePath: '/docs',
  navbar: [
    { type: 'link', position: 'left', label: 'Docs', to: '/docs' },
    {
      type: 'sidebar',
      position: 'left',
      sidebar: 'metrics',
      label: 'Metrics',
      to: '/docs/metrics/overview',
    },
    { type: 'search', position: 'right' },
    { type: 'version', position: 'right' },
    { type: 'language', position: 'right' },
    { type: 'theme', position: 'right' },
    {
      type: 'link',
      position: 'right',
      label: 'Try For Free',
      href: 'https://siftwren.example/register',
    },
  ],
  hideNavbarOnScroll: false,
  docsVersion: { label: 'Next', plugin: 'default' },
  locales: [
    { tag: 'en', label: null, root: '', start: '/docs', allPages: null, words: null, own: null },
  ],
  footer: { text: null, links: [] },
  announcement: null,
  sections: [
    {
      id: 'overview',
      title: 'Overview',
      language: null,
      path: '/docs/overview/welcome',
      nav: 'n1.json',
      pages: 2,
    },
    {
      id: 'metrics',
      title: 'Metrics',
      language: null,
      path: '/docs/metrics/overview',
      nav: 'n2.json',
      pages: 3,
    },
  ],
  ways: [],
  search: null,
};

const locale = { label: null, allPages: null, words: null, own: null };

/** The languages of a site whose pages in French are below a folder. */
export const inTwoLanguages: Locale[] = [
  { ...locale, tag: 'en', root: '/docs', start: '/docs' },
  { ...locale, tag: 'fr', root: '/docs/fr', start: '/docs/fr' },
];

export const metricsNav: SectionNav = {
  id: 'metrics',
  items: [
    { path: '/docs/metrics/overview', title: 'Metrics overview', items: [] },
    {
      path: null,
      title: 'Ranking',
      items: [{ path: '/docs/metrics/ndcg', title: 'nDCG', items: [] }],
    },
    {
      path: null,
      title: 'Online',
      items: [
        { path: '/docs/metrics/ctr', title: 'Click rate', items: [] },
        { path: '/docs/metrics/dwell', title: 'Dwell time', items: [] },
      ],
    },
  ],
};

export const docPage: DocPage = {
  kind: 'doc',
  path: '/docs/metrics/ndcg',
  title: 'nDCG & friends',
  description: 'How close a list comes to its best order.',
  section: { id: 'metrics', title: 'Metrics' },
  html: '<p>Gain &amp; discount: <code>a &lt; b</code></p>',
  toc: [
    { id: 'definition', title: 'Definition', level: 2 },
    { id: 'größe', title: 'Size < 10', level: 3 },
  ],
  previous: { path: '/docs/metrics/overview', title: 'Metrics overview' },
  next: { path: '/docs/metrics/ctr', title: 'Click "rate"' },
  editUrl: 'https://edit.example/ndcg.md?a=1&b=2',
  lastChange: '2026-11-21',
  layout: 'text',
  translations: [],
};
