import { expect, test } from 'vitest';
import { sayIn, words } from './words';

test('without words of another language everything is said in English', () => {
  const say = sayIn(null, 'fr');
  expect(say('On this page')).toBe('On this page');
  expect(say('Search for “{query}”', { query: 'a {b} c' })).toBe('Search for “a {b} c”');
  // Braces of others are no places.
  expect(say('Search for “{query}”', { other: 1 })).toBe('Search for “{query}”');
  expect(say.count(1, '{count} page', '{count} pages')).toBe('1 page');
  expect(say.count(2, '{count} page', '{count} pages')).toBe('2 pages');
  expect(say.around('Last changed {date}', 'date')).toEqual(['Last changed ', '']);
  expect(sayIn(null, 'de')).toBe(say);
});

test('words are said as they are in the language, and what is missing in English', () => {
  const own = {
    Home: 'Hem',
    'Search for “{query}”': '”{query}”: sök',
    'Last changed {date}': 'Ändrad {date}.',
  };
  const say = sayIn(own, 'sv');
  expect(say('Home')).toBe('Hem');
  expect(say('Search for “{query}”', { query: 'x' })).toBe('”x”: sök');
  expect(say.around('Last changed {date}', 'date')).toEqual(['Ändrad ', '.']);
  expect(say('Retry')).toBe('Retry');
  expect(say.count(1, '{count} page', '{count} pages')).toBe('1 page');
  expect(sayIn(own, 'sv')).toBe(say);
});

test('a number has the form that the language has for it', () => {
  const forms = { one: '{count} a', few: '{count} b', many: '{count} c', other: '{count} d' };
  const pages = (own: object, language: string) =>
    [1, 2, 5, 21].map((count) =>
      sayIn({ '{count} pages': own } as never, language).count(count, '1', '{count} pages'),
    );
  expect(pages(forms, 'ru')).toEqual(['1 a', '2 b', '5 c', '21 a']);
  expect(pages({ other: '{count} d' }, 'ru')).toEqual(['1 d', '2 d', '5 d', '21 d']);
  expect(pages({ one: 'One', other: '{count}' }, 'en')).toEqual(['One', '2', '5', '21']);
});

test('words are texts or forms of them', () => {
  expect(words({ Home: 'Hem', b: { other: 'c' } }, 'w')).toEqual({
    Home: 'Hem',
    b: { other: 'c' },
  });
  expect(() => words({ Home: 1 }, 'w')).toThrow('w.Home: expected a text or forms of it, found 1');
  expect(() => words({ b: { other: 1 } }, 'w')).toThrow('w.b.other: expected a string, found 1');
  expect(() => words([], 'w')).toThrow('w: expected an object, found a list');
});
