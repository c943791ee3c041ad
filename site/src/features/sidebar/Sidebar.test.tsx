import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SectionNav } from '../../shared/content/model';
import { SiteContext } from '../../shared/content/SiteContext';
import { site } from '../../shared/content/testSite';
import { Sidebar } from './Sidebar';

function links(count: number, nav: SectionNav | null): (string | null)[] {
  const sections = Array.from({ length: count }, (_, index) => ({
    id: `s${index}`,
    language: null,
    title: `Section ${index}`,
    path: `/docs/s${index}/overview`,
    nav: 'n.json',
    pages: 1,
  }));
  const { container, unmount } = render(
    <SiteContext value={{ ...site, sections }}>
      <Sidebar nav={nav} path="/docs/s7/page" />
    </SiteContext>,
  );
  const found = [...container.querySelectorAll('a')].map((link) => link.textContent);
  unmount();
  return found;
}

const nav: SectionNav = {
  id: 's7',
  items: [{ title: 'The page', path: '/docs/s7/page', items: [] }],
};

test('the list does not grow with the sections of a large site', () => {
  const shown = ['Section 6', 'Section 7', 'The page', 'Section 8'];
  expect(links(13, nav)).toEqual([...shown, 'All 13 sections']);
  expect(links(500, nav)).toEqual([...shown, 'All 500 sections']);
  expect(links(500, null)).toHaveLength(13);
});

test('a site with few sections lists them all', () => {
  expect(links(12, nav)).toHaveLength(13);
  expect(screen.queryByText(/^All/)).toBeNull();
});
