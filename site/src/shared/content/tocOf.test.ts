import { expect, test } from 'vitest';
import { fragment } from './decoders';
import { docPage } from './testSite';
import { tocOf } from './tocOf';

test('headings with an id are the table of contents, as text', () => {
  const html =
    '<h1 id="t">T</h1><h2 id="a&amp;b"><a href="#a&amp;b">A <code>&lt;b&gt;</code>\n&amp;amp; c</a></h2>' +
    '<p id="p">x</p><h5 id="e">E</h5><h3>no id</h3><h4 id="d" class="x"><em>D</em></h4>';
  expect(tocOf(html)).toEqual([
    { id: 'a&b', title: 'A <b> &amp; c', level: 2 },
    { id: 'd', title: 'D', level: 4 },
  ]);
});

test('a fragment without a table of contents has that of its text', () => {
  const { toc: _, ...page } = { ...docPage, html: '<h2 id="a">A</h2>', build: 'b' };
  const decoded = fragment(page, 'x').page;
  expect(decoded).toMatchObject({ kind: 'doc', toc: [{ id: 'a', title: 'A', level: 2 }] });
  expect(fragment({ ...page, toc: [] }, 'x').page).toMatchObject({ toc: [] });
});
