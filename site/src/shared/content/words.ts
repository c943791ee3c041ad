/**
 * The words of the site around the texts, in the language of the page. In the code they are what they are in English;
 * `indexer/words/en.json` says where each stands. A site in English loads nothing of it.
 */
import type english from '../../../../indexer/words/en.json';
import { DecodeError, type Decoder, record, string } from '../lib/decode';

/** Words of the site, in English. */
export type Word = keyof typeof english;

/** What words are in another language: a text, or a form for each category of numbers (`Intl.PluralRules`). */
type Wording = string | { [category: string]: string };

/** The words in one language, by what they are in English. */
export type Words = { [english: string]: Wording };

/** What is put into words, by the names of the places. */
export type Values = { [name: string]: string | number };

export interface Say {
  /** The words, with a value for each `{name}` in them. */
  (english: Word, values?: Values): string;
  /** The same for a number: `{count}`. `one` is what they are in English for 1. */
  count(count: number, one: string, english: Word): string;
  /** What stands before and after a value, which is more than text. */
  around(english: Word, name: string): [before: string, after: string];
}

const said = new WeakMap<Words, Say>();

/** How to say things in the language of these words; in English where there are none. One and the same for the same words. */
export function sayIn(words: Words | null, language: string): Say {
  if (words === null) return inEnglish;
  let say = said.get(words);
  if (!say) {
    say = create(words, language);
    said.set(words, say);
  }
  return say;
}

const inEnglish = create({}, 'en');

function create(words: Words, language: string): Say {
  /** Lazily: most pages count nothing. */
  let rules: Intl.PluralRules | null = null;
  function find(english: Word, count: number, one: string = english): string {
    const wording = words[english];
    if (wording === undefined) return count === 1 ? one : english;
    if (typeof wording === 'string') return wording;
    rules ??= new Intl.PluralRules(language);
    return wording[rules.select(count)] ?? wording.other ?? english;
  }
  const say = (english: Word, values: Values = {}) => fill(find(english, 0), values);
  return Object.assign(say, {
    count: (count: number, one: string, english: Word) =>
      fill(find(english, count, one), { count }),
    around(english: Word, name: string): [string, string] {
      const [before = '', after = ''] = find(english, 0).split(`{${name}}`);
      return [before, after];
    },
  });
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

const wording: Decoder<Wording> = (value, at) => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') throw new DecodeError(at, 'a text or forms of it', value);
  return record(string)(value, at);
};

export const words: Decoder<Words> = record(wording);
