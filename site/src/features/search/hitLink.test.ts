// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkOf } from './hitLink';
import { hitAt } from './testHits';

test('a path and its anchor, below the base of the site', () => {
  expect(linkOf(hitAt('/docs/a#b-c'), '/')).toEqual({
    pathname: '/docs/a',
    hash: '#b-c',
    href: '/docs/a#b-c',
  });
  expect(linkOf(hitAt('/docs/a'), '/base')?.href).toBe('/base/docs/a');
  expect(linkOf(hitAt('/docs/a'), '/base/')?.href).toBe('/base/docs/a');
});

test.each([
  ['über', '#%C3%BCber'],
  ['%C3%BCber', '#%C3%BCber'],
  ['50%', '#50%25'],
  ['a b"<', '#a%20b%22%3C'],
  ['\uD800', '#%EF%BF%BD'],
])('the anchor %j becomes %s', (anchor, hash) => {
  expect(linkOf({ ...hitAt('/a'), hash: anchor }, '/')?.hash).toBe(hash);
});

describe('what leads off the site is no link', () => {
  test.each([
    '',
    'docs/a',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/..//evil.test',
    '\n//evil.test',
    ' //evil.test',
  ])('%j', (pathname) => {
    expect(linkOf({ ...hitAt('/'), pathname }, '/')).toBeNull();
  });

  test('whatever the text is', () => {
    const hostile = fc.array(
      fc.constantFrom(
        '/',
        '\\',
        '..',
        '.',
        ':',
        '@',
        '\t',
        '\n',
        ' ',
        '%2f',
        'javascript',
        'evil.test',
        '?',
        '#',
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          hostile.map((parts) => parts.join('')),
          fc.string(),
        ),
        fc.string(),
        (pathname, hash) => {
          const link = linkOf({ ...hitAt('/'), pathname, hash }, '/');
          if (link !== null) {
            expect(new URL(link.href, 'https://docs.test/x/y').origin).toBe('https://docs.test');
            expect(() => decodeURIComponent(link.hash)).not.toThrow();
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
