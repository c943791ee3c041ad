import { sayIn, type Values, type Word } from '../shared/content/words';

const inEnglish = sayIn(null, 'en');

/** The data of a page could not be had. Why is shown to the reader, in the language of the page where it is said in words of the site. */
export class RouteLoadError extends Error {
  override name = 'RouteLoadError';
  readonly words: Word;
  readonly values: Values;

  constructor(
    words: Word | (string & {}),
    { values = {}, ...options }: { values?: Values; cause?: unknown } = {},
  ) {
    super(inEnglish(words as Word, values), options);
    this.words = words as Word;
    this.values = values;
  }
}
