import { render, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { NavbarItem, Translation } from '../../shared/content/model';
import { SiteContext } from '../../shared/content/SiteContext';
import { inTwoLanguages, site } from '../../shared/content/testSite';
import { fitting, mostSpecific, withTools } from './items';
import { Navbar, NavbarMenu } from './Navbar';
import { rememberVersion } from './version';

const left = { position: 'left' } as const;
const docs: NavbarItem = { ...left, type: 'link', label: 'Docs', to: '/docs' };
const api: NavbarItem = { ...left, type: 'doc', doc: 'api', label: 'API', to: '/docs/api' };

function show(
  navbar: NavbarItem[],
  form: 'bar' | 'menu' = 'bar',
  { locales = site.locales, path = '/docs/api', translations = [] as Translation[] } = {},
) {
  const page = { path, translations };
  return render(
    <SiteContext value={{ ...site, navbar, locales }}>
      {form === 'bar' ? (
        <Navbar {...page} tools={{ search: <b>Search</b>, theme: <i>theme</i> }} />
      ) : (
        <NavbarMenu {...page} />
      )}
    </SiteContext>,
  );
}

test('the item with the longest path is the current one, also within a dropdown', () => {
  expect(mostSpecific([docs, api], '/docs/api/v2')).toBe(api);
  expect(mostSpecific([docs, api], '/docs/apis')).toBe(docs);
  const dropdown: NavbarItem = { ...left, type: 'dropdown', label: 'More', items: [api] };
  expect(mostSpecific([docs, dropdown], '/docs/api')).toBe(api);
  expect(mostSpecific([docs], '/other')).toBeNull();
});

test('search and colour mode are there once, wherever they are configured', () => {
  const theme: NavbarItem = { ...left, type: 'theme' };
  expect(withTools({ ...site, navbar: [theme, docs] }).map(({ type }) => type)).toEqual([
    'theme',
    'link',
    'search',
  ]);
});

describe('links for which there is no room', () => {
  const link = (label: string, position: 'left' | 'right' = 'left'): NavbarItem => ({
    type: 'link',
    position,
    label,
    to: '/docs',
  });
  const tools: NavbarItem[] = [{ type: 'search', position: 'right' }, link('Try it', 'right')];
  const texts = { more: 'More', search: 'Search docs', language: 'English' };
  const seven = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].map((label) => link(label));
  const shown = (items: NavbarItem[], title = 'siftwren') =>
    fitting(items, { ...site, title }, texts).map((item) =>
      item.type === 'dropdown'
        ? [item.label, ...item.items.map((inner) => ('label' in inner ? inner.label : ''))]
        : 'label' in item && item.label,
    );

  test('stay in the bar while there is room', () => {
    const items = [...seven, ...tools];
    expect(fitting(items, site, texts)).toEqual(items);
  });

  test('are in a list at the end, the last ones, in their order', () => {
    const items = [...seven, ...seven.slice(0, 4).map((_, n) => link(`Another ${n}`)), ...tools];
    expect(shown(items)).toEqual([
      ...['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'],
      ...[false, 'Try it'],
      ['More', 'Another 0', 'Another 1', 'Another 2', 'Another 3'],
    ]);
    // A long name of the site has less room beside it.
    const long = shown(items, 'The whole handbook of siftwren');
    expect(long.at(-1)).toEqual([
      ...['More', 'Seven'],
      ...['Another 0', 'Another 1', 'Another 2', 'Another 3'],
    ]);
  });

  test('are moved before lists, these before the links on the right', () => {
    const list: NavbarItem = { ...left, type: 'dropdown', label: 'A list', items: [api] };
    const wide = link('x'.repeat(70));
    expect(shown([list, wide, ...tools])).toEqual([
      ['A list', 'API'],
      ...[false, 'Try it'],
      ['More', 'x'.repeat(70)],
    ]);
    const right = link('y'.repeat(110), 'right');
    expect(shown([list, wide, right]).at(-1)).toEqual([
      ...['More', 'API', 'x'.repeat(70)],
      'y'.repeat(110),
    ]);
  });

  test('come behind those of a list that is called the same', () => {
    const own: NavbarItem = { ...left, type: 'dropdown', label: 'More', items: [api] };
    expect(shown([own, link('x'.repeat(110))])).toEqual([['More', 'API', 'x'.repeat(110)]]);
  });

  test('wide letters need more room', () => {
    const labels = (letter: string) =>
      Array.from({ length: 9 }, (_, n) => link(`${letter.repeat(4)}${n}`));
    expect(shown(labels('a'))).toHaveLength(9);
    expect(shown(labels('文')).at(-1)).toEqual(['More', '文文文文7', '文文文文8']);
  });
});

test('a dropdown is a disclosure in the bar and a list in the menu', () => {
  const navbar: NavbarItem[] = [{ ...left, type: 'dropdown', label: 'More', items: [api, docs] }];
  const { unmount, container } = show(navbar);
  expect(container.querySelector('details summary')?.textContent).toBe('More');
  expect(container.querySelectorAll('details a')).toHaveLength(2);
  unmount();
  show(navbar, 'menu');
  expect(screen.getByText('More').tagName).toBe('P');
  expect(screen.getByRole('link', { name: 'API' }).getAttribute('aria-current')).toBe('true');
});

test('languages and versions say what they are and which is shown', () => {
  const { container } = show([
    { ...left, type: 'language' },
    { ...left, type: 'version' },
  ]);
  const summaries = [...container.querySelectorAll('summary')].map(
    ({ textContent }) => textContent,
  );
  expect(summaries).toEqual(['Language: English', 'Version: Next']);
  const link = container.querySelector<HTMLElement>('[data-version]');
  expect(link?.getAttribute('href')).toBe('/book/docs/api');
  if (link) rememberVersion(link);
  expect(localStorage.getItem('siftwren.version.default')).toBe('Next');
});

test('several languages can be chosen on every site, and lead to the page or to their start', () => {
  const locales = [
    ...inTwoLanguages,
    {
      tag: 'pt-BR',
      label: 'Brasileiro',
      root: '/docs/pt-br',
      start: '/docs/pt-br/inicio',
      allPages: null,
      words: null,
      own: null,
    },
  ];
  const translations = [{ tag: 'en', path: '/docs/metrics/ndcg' }];
  const { container } = show([docs], 'bar', {
    locales,
    path: '/docs/fr/metrics/ndcg',
    translations,
  });
  expect(container.querySelector('summary')?.textContent).toBe('Language: Français');
  const links = [...container.querySelectorAll<HTMLElement>('[hreflang]')];
  expect(
    links.map((link) => [
      link.lang,
      link.textContent,
      link.getAttribute('href'),
      link.getAttribute('aria-current'),
    ]),
  ).toEqual([
    ['en', 'English', '/book/docs/metrics/ndcg', null],
    ['fr', 'Français', '/book/docs/fr/metrics/ndcg', 'true'],
    ['pt-BR', 'Brasileiro', '/book/docs/pt-br/inicio', null],
  ]);
  const brand = container.querySelector('header > div > a:not([href^="#"])');
  expect(brand?.getAttribute('href')).toBe('/book/docs/fr');
});

describe('a mistake of the configuration is named', () => {
  test.each<[NavbarItem, string]>([
    [
      { ...left, type: 'unknown', name: 'galaxy' },
      'No NavbarItem component found for type "galaxy".',
    ],
    [
      { ...left, type: 'doc', doc: 'gone', label: 'A', to: null },
      'The navbar item "A" names the doc id "gone", which does not exist.',
    ],
    [
      { ...left, type: 'sidebar', sidebar: 'none', label: 'B', to: null },
      'The navbar item "B" names the sidebar "none", which does not exist.',
    ],
  ])('%j', (item, message) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(() => show([item])).toThrow(message);
    expect(() => show([item], 'menu')).toThrow(message);
    vi.restoreAllMocks();
  });
});
