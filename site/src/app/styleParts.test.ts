import { expect, test } from 'vitest';
import { splitStyles } from '../../tools/inlineStyles.mjs';
import { shortNames } from '../../tools/shortNames.mjs';
import { docPage, site } from '../shared/content/testSite';
import { partsOf } from './styleParts';

test.each([
  ['<p>x</p>', ['shell', 'doc']],
  ['<p><code>x</code></p>', ['shell', 'doc', 'code']],
  ['<div class="code"><pre>x</pre></div>', ['shell', 'doc', 'code']],
  ['<div class="tabs"><table><tr></tr></table></div>', ['shell', 'doc', 'tabs', 'tables']],
  ['<div class="alert alert-note"><math></math></div>', ['shell', 'doc', 'alerts', 'asides']],
  ['<ul class="index"></ul>', ['shell', 'doc', 'asides']],
  ['<math><mtable></mtable></math>', ['shell', 'doc', 'asides', 'matrices']],
  ['<math></math><span class="math-tag">(1)</span>', ['shell', 'doc', 'asides', 'matrices']],
  ['<figure class="diagram"><svg></svg></figure>', ['shell', 'doc', 'diagrams']],
  ['<pre><code><data value="1"></data>x</code></pre>', ['shell', 'doc', 'code', 'asides']],
  ['<img src="a" data-only="dark">', ['shell', 'doc', 'themes']],
  ['<p>a &lt;table> and <thead-x>, class="alertness"</p>', ['shell', 'doc']],
])('a page with the text %s carries %j', (html, parts) => {
  expect(partsOf({ ...docPage, html }, site)).toEqual(parts);
});

test('pages of other kinds carry the styles of their kind', () => {
  expect(partsOf({ ...docPage, html: '', layout: 'operations' }, site)).toEqual([
    'shell',
    'doc',
    'alerts',
    'reference',
  ]);
  expect(partsOf({ kind: 'home', path: '/', example: null }, site)).toEqual(['shell', 'home']);
  expect(partsOf({ kind: 'not-found', path: '', near: null }, site)).toEqual(['shell', 'notice']);
});

test('what only an action shows comes later, and both together are the whole', () => {
  const doc =
    '@layer a,b;@layer a{p,p:hover{color:red;transition:color .1s}p:hover{color:tan;&~q{x:y}}q:before{content:"};{"}::selection{x:y}}' +
    '@media print{p{color:tan}}@media (width<9px){:is(p,q){x:y}p:hover{x:y}}@keyframes k{to{x:y}}';
  expect(splitStyles({ doc, home: 'a{x:y}a:hover{x:z}', late: '.toast{x:y}' })).toEqual({
    first: {
      doc: '@layer a,b;@layer a{p{color:red}q:before{content:"};{"}}@media (width<9px){:is(p,q){x:y}}',
      home: 'a{x:y}',
    },
    late:
      '@layer a{p:hover{color:red;transition:color .1s}p{transition:color .1s}p:hover{color:tan;&~q{x:y}}}' +
      '@media print{p{color:tan}}@media (width<9px){p:hover{x:y}}@keyframes k{to{x:y}}a:hover{x:z}.toast{x:y}',
  });
});

test('a style sheet that is cut off is refused', () => {
  expect(() => splitStyles({ doc: 'p{color:red', late: '' })).toThrow('1:1: Unclosed block');
});

test('names become short, and constants stand where they are used, as does what is used once', () => {
  const names = shortNames(import.meta.dirname.replace(/app$/, ''));
  const css = names.shorten(
    '/* x */ a { padding: var(--space-4); color: var(--color-accent); --space-4: 1rem; }',
  );
  expect(css).toMatch(/^ a { padding: 1rem; color: var\(--[a-z]{1,2}\); {2}}$/);
  const once = names.shorten('a { color: var(--color-mark); }');
  expect(once).toMatch(/^a { color: light-dark\(oklch\([\d. ]+\), oklch\([\d. ]+\)\); }$/);
  const name = names.className('layout', 'app/Shell.module.css');
  expect(name).toMatch(/^[A-Z]{1,2}$/);
  expect(names.className('main', 'app/Shell.module.css')).not.toBe(name);
  expect(names.exportsOf('app/Shell.module.css')).toMatchObject({ layout: name });
  const others = Object.keys(names.exportsOf('shared/ui/Notice.module.css')).sort();
  expect(others).toEqual(['mark', 'notice']);
  expect(() => names.className('no', 'app/Shell.module.css')).toThrow(
    'no style names the class no',
  );
});
