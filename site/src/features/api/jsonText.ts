/** JSON as it is written: its parts in order, with every number, text and name left as it stands. */

/** Where a text stops being JSON. */
export interface Fault {
  /** Counted in UTF-16 units from the beginning. */
  at: number;
  expected: string;
}

type Closing = '}' | ']';
type Next = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'after value' | 'end';

const CLOSING: { readonly [opening: string]: Closing } = { '{': '}', '[': ']' };
const WORDS = ['true', 'false', 'null'];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const INDENT = '  ';
/** What lies deeper is not moved further in: a short answer that nests a hundred thousand times would take gigabytes. */
const DEEPEST_INDENT = 40;

/** What is wrong with a text as JSON: where, and what was expected there. */
export function faultOf(text: string): Fault | null {
  return readParts(text, () => {});
}

/** The same parts, one field or value a line; null where the text is no JSON. */
export function indented(text: string): string | null {
  const parts: string[] = [];
  let depth = 0;
  const fault = readParts(text, (part, before) => {
    const isClosing = part === '}' || part === ']';
    if (isClosing) depth -= 1;
    const isFirst = before in CLOSING;
    // What holds nothing stays on its line.
    if (isClosing ? !isFirst : isFirst || before === ',') {
      parts.push('\n', INDENT.repeat(Math.min(depth, DEEPEST_INDENT)));
    }
    parts.push(part === ':' ? ': ' : part);
    if (part in CLOSING) depth += 1;
  });
  return fault === null ? parts.join('') : null;
}

/** Says each part with the one before. Nesting may be as deep as a server likes, so nothing here calls itself. */
function readParts(text: string, say: (part: string, before: string) => void): Fault | null {
  const open: Closing[] = [];
  let next: Next = 'value';
  let before = '';
  let at = 0;
  while (true) {
    at = endOf(SPACE, text, at);
    if (at === text.length && next === 'end') return null;
    const sign = text[at] ?? '';
    const inner = open.at(-1);
    let end = at + 1;
    if (sign === inner && /^first|^after/.test(next)) {
      open.pop();
      next = open.length === 0 ? 'end' : 'after value';
    } else if (next === 'colon' && sign === ':') {
      next = 'value';
    } else if (next === 'after value' && sign === ',') {
      next = inner === '}' ? 'name' : 'value';
    } else if (/name$/.test(next) && sign === '"') {
      const name = readString(text, at);
      if (typeof name !== 'number') return name;
      end = name;
      next = 'colon';
    } else if (/value$/.test(next) && next !== 'after value' && sign !== '') {
      const closing = CLOSING[sign];
      if (closing) {
        open.push(closing);
        next = closing === '}' ? 'first name' : 'first value';
      } else {
        const value = readScalar(text, at);
        if (typeof value !== 'number') return value;
        end = value;
        next = open.length === 0 ? 'end' : 'after value';
      }
    } else {
      return { at, expected: expectedOf(next, inner) };
    }
    const part = text.slice(at, end);
    say(part, before);
    before = part;
    at = end;
  }
}

/** Where a text, number or word ends. */
function readScalar(text: string, at: number): number | Fault {
  if (text[at] === '"') return readString(text, at);
  const word = WORDS.find((known) => text.startsWith(known, at));
  if (word !== undefined) return at + word.length;
  const end = endOf(NUMBER, text, at);
  return end > at ? end : { at, expected: expectedOf('value', undefined) };
}

function readString(text: string, start: number): number | Fault {
  for (let at = start + 1; ; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '"') return at + 1;
    if (sign < ' ') return { at, expected: 'the end of a text (")' };
    if (sign !== '\\') continue;
    at += 1;
    if (text[at] === 'u' && /^[\da-f]{4}$/i.test(text.slice(at + 1, at + 5))) at += 4;
    else if (!/^["\\/bfnrt]$/.test(text[at] ?? '')) {
      return { at, expected: 'what may follow a backslash (such as n, " or u00e9)' };
    }
  }
}

function expectedOf(next: Next, inner: Closing | undefined): string {
  switch (next) {
    case 'value':
      return 'a value';
    case 'first value':
      return 'a value or "]"';
    case 'name':
      return 'the name of a field in double quotes';
    case 'first name':
      return 'the name of a field in double quotes or "}"';
    case 'colon':
      return '":"';
    case 'after value':
      return `"," or "${inner}"`;
    case 'end':
      return 'nothing more';
  }
}

/** Where a match that begins here ends; here, if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
