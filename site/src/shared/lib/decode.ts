/**
 * Turns `unknown` into typed values at the edges (files, network, storage), with the place in the
 * message when something has the wrong shape.
 */
export type Decoder<T> = (value: unknown, at: string) => T;

export class DecodeError extends Error {
  override name = 'DecodeError';

  constructor(at: string, expected: string, value: unknown) {
    super(`${at}: expected ${expected}, found ${describe(value)}`);
  }
}

export const string: Decoder<string> = (value, at) => {
  if (typeof value !== 'string') throw new DecodeError(at, 'a string', value);
  return value;
};

export const number: Decoder<number> = (value, at) => {
  if (typeof value !== 'number') throw new DecodeError(at, 'a number', value);
  return value;
};

export const boolean: Decoder<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw new DecodeError(at, 'true or false', value);
  return value;
};

/** Absent and `null` both become `null`. */
export function nullable<T>(decoder: Decoder<T>): Decoder<T | null> {
  return (value, at) => (value === null || value === undefined ? null : decoder(value, at));
}

export function array<T>(decoder: Decoder<T>): Decoder<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new DecodeError(at, 'a list', value);
    return value.map((item: unknown, index) => decoder(item, `${at}[${index}]`));
  };
}

export function oneOf<const T extends string | number>(...allowed: T[]): Decoder<T> {
  return (value, at) => {
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw new DecodeError(at, `one of ${allowed.join(', ')}`, value);
    return found;
  };
}

/** Decodes the named fields; fields that are not named are ignored. */
export function object<T extends object>(fields: { [K in keyof T]: Decoder<T[K]> }): Decoder<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new DecodeError(at, 'an object', value);
    }
    const source = value as Record<string, unknown>;
    const result: Partial<T> = {};
    for (const name of names) result[name] = fields[name](source[name], `${at}.${name}`);
    return result as T;
  };
}

/** A table of values that have whatever names. */
export function record<T>(decode: Decoder<T>): Decoder<Record<string, T>> {
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new DecodeError(at, 'an object', value);
    }
    const entries = Object.entries(value).map(([name, item]) => [
      name,
      decode(item, `${at}.${name}`),
    ]);
    return Object.fromEntries(entries) as Record<string, T>;
  };
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : JSON.stringify(value);
}
