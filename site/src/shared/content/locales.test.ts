import { expect, test } from 'vitest';
import { directionOf, languageName, localeOf, sectionsOf } from './locales';
import { site } from './testSite';

const LOCALES = [
  { tag: 'en', label: null, root: '/docs', start: '/docs', allPages: null, words: null, own: null },
  {
    tag: 'pt',
    label: null,
    root: '/docs/pt',
    start: '/docs/pt',
    allPages: null,
    words: null,
    own: null,
  },
  {
    tag: 'pt-BR',
    label: 'Brasil',
    root: '/docs/pt/br',
    start: '/docs/pt/br/inicio',
    allPages: null,
    words: null,
    own: null,
  },
];

test.each([
  ['/docs', 'en'],
  ['/docs/ndcg', 'en'],
  ['/docs/ptolemy', 'en'],
  ['/', 'en'],
  ['', 'en'],
  ['/docs/pt', 'pt'],
  ['/docs/pt/ndcg', 'pt'],
  ['/docs/pt/br', 'pt-BR'],
  ['/docs/pt/brazil', 'pt'],
])('the address %s is in %s', (path, tag) => {
  expect(localeOf(LOCALES, path).tag).toBe(tag);
  expect(localeOf([...LOCALES.slice(0, 1), ...LOCALES.slice(1).reverse()], path).tag).toBe(tag);
});

test('the first language may have a folder in that of another one', () => {
  const nested = [
    { ...LOCALES[0], tag: 'en', root: '/docs/en' },
    { ...LOCALES[1], tag: 'fr', root: '/docs' },
  ];
  const tags = ['/docs/en/ndcg', '/docs/ndcg', '/other'].map((path) => localeOf(nested, path).tag);
  expect(tags).toEqual(['en', 'fr', 'en']);
});

test('sections are those of the language, and of the first where it has none', () => {
  const section = { title: 'Metrics', nav: 'n.json', pages: 1 };
  const sections = [
    { ...section, id: 'metrics', language: null, path: '/docs/ndcg' },
    // Its first page is not translated.
    { ...section, id: 'pt/metrics', language: 'pt', path: '/docs/ndcg' },
  ];
  const several = { ...site, locales: LOCALES, sections };
  const ids = (path: string) => sectionsOf(several, path).map(({ id }) => id);
  expect(ids('/docs/ndcg')).toEqual(['metrics']);
  expect(ids('/docs/pt/recall')).toEqual(['pt/metrics']);
  expect(ids('/docs/pt/br/recall')).toEqual(['metrics']);
  expect(sectionsOf(site, '/anything')).toBe(site.sections);
});

test('a language is called as it calls itself, or as the site says', () => {
  expect(LOCALES.map(languageName)).toEqual(['English', 'Português', 'Brasil']);
});

test.each(['ar', 'he-IL', 'fa', 'az-Arab', 'ku-arab-IQ'])('%s is read from the right', (tag) => {
  expect(directionOf(tag)).toBe('rtl');
});

test.each(['en', 'arn', 'pt-BR', 'zh-Hant', 'far'])('%s is read from the left', (tag) => {
  expect(directionOf(tag)).toBeNull();
});
