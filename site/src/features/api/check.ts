/** Holds what is typed into the console to the schemas of the operation. */
import { type OutputUnit, Validator } from '@cfworker/json-schema';
import { type Fault, faultOf } from './jsonText';
import type { ConsoleOperation, JsonSchema, Parameter } from './operation';

export interface Problem {
  /** Where in the value: `rows[2].title`; empty for the whole. */
  place: string;
  message: string;
}

/** What is wrong with one value of the form. */
export type Check = (text: string) => Problem[];

/** What is wrong with a request, by what it is about. */
export interface RequestProblems {
  key: Problem[];
  /** By their names; a parameter without a problem has an empty list. */
  parameters: ReadonlyMap<string, Problem[]>;
  body: Problem[];
}

/** More problems are not listed: the first ones are mended first. */
const SHOWN_PROBLEMS = 8;

/** Keywords that only say that something further in is wrong. */
const OUTER = new Set([
  '$ref',
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'allOf',
  'if',
  'propertyNames',
  'dependentSchemas',
]);

/** No address can hold it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The check of a body, which is JSON. */
export function bodyCheck(operation: ConsoleOperation): Check {
  const { body } = operation;
  if (body === null) return () => [];
  const { schema, validator } = validatorOf(body.schema, operation);
  return (text) => {
    if (text.trim() === '') {
      return body.required ? [{ place: '', message: 'The body is missing.' }] : [];
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      const fault = faultOf(text);
      return [{ place: '', message: fault ? placed(text, fault) : 'This is not JSON.' }];
    }
    // The validator writes the names of fields into addresses.
    if (/\\ud[89a-f]|\p{Surrogate}/iu.test(text) && hasBrokenName(value)) {
      return [{ place: '', message: 'Half of a character stands in the name of a field.' }];
    }
    return problemsOf(validator.validate(value).errors, schema);
  };
}

function hasBrokenName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    (!Array.isArray(value) && Object.keys(value).some((name) => LONE_SURROGATE.test(name))) ||
    Object.values(value).some(hasBrokenName)
  );
}

/** The check of a parameter, which is text that may stand for a number or a truth value. */
export function parameterCheck(parameter: Parameter, operation: ConsoleOperation): Check {
  const { schema, validator } = validatorOf(parameter.schema, operation);
  return (text) => {
    if (text === '') {
      return parameter.required
        ? [{ place: parameter.name, message: 'This parameter is missing.' }]
        : [];
    }
    // Browsers take them out of an address.
    if (parameter.in === 'path' && /^\.\.?$/.test(text)) {
      return [{ place: parameter.name, message: `"${text}" cannot stand in an address.` }];
    }
    if (LONE_SURROGATE.test(text)) {
      const message = 'Half of a character stands here: its other half is missing.';
      return [{ place: parameter.name, message }];
    }
    // `12` may be meant as a number or as a name: it is wrong only if it is neither.
    const found = [text, plainValue(text)].map((value) => validator.validate(value).errors);
    if (found.some((errors) => errors.length === 0)) return [];
    return problemsOf(found.at(-1) ?? [], schema).map((problem) => ({
      ...problem,
      place: parameter.name,
    }));
  };
}

/** The check of a key: what no header can hold is sent nowhere. */
export function keyCheck({ header, required }: { header: string; required: boolean }): Check {
  return (text) => {
    if (text === '') return required ? [{ place: header, message: 'This key is missing.' }] : [];
    if (!/[^\x21-\x7e]/.test(text)) return [];
    const message = 'A key is made of ASCII letters, digits and signs, without spaces.';
    return [{ place: header, message }];
  };
}

function validatorOf(schema: JsonSchema, { schemas }: ConsoleOperation) {
  const of = typeof schema === 'boolean' ? { allOf: [schema] } : schema;
  const whole = { ...of, $defs: schemas };
  return { schema: whole, validator: new Validator(whole, '2020-12', false) };
}

function plainValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function problemsOf(errors: OutputUnit[], schema: Schema): Problem[] {
  const hidden = new Set<OutputUnit>();
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')) {
    const inside = errors.filter(isBelow(choice.keywordLocation));
    const meant = meantKind(choice, inside);
    // What is wrong with each of several kinds says less than that it is none of them.
    for (const error of meant === null ? inside : inside.filter(not(isBelow(meant)))) {
      hidden.add(error);
    }
    if (meant !== null) hidden.add(choice);
  }
  const saysMore = ({ keyword, keywordLocation }: OutputUnit) =>
    OUTER.has(keyword) ||
    // Where other fields are of one kind, what is wrong stands further in.
    (keyword === 'additionalProperties' &&
      errors.some((error) => error.keyword !== 'false' && isBelow(keywordLocation)(error)));
  const problems = errors
    .filter((error) => !saysMore(error) && error.keyword !== 'false' && !hidden.has(error))
    .map((error) => ({
      place: placeOf(error.instanceLocation),
      message: messageOf(error, schema),
    }));
  // A value can be held to one rule by several parts of a schema.
  const isFirst = ({ place, message }: Problem, index: number) =>
    problems.findIndex((other) => other.place === place && other.message === message) === index;
  return problems.filter(isFirst).slice(0, SHOWN_PROBLEMS);
}

type Schema = { [keyword: string]: unknown };

const isBelow =
  (location: string) =>
  ({ keywordLocation }: OutputUnit) =>
    keywordLocation.startsWith(`${location}/`);

const not =
  <T>(is: (value: T) => boolean) =>
  (value: T) =>
    !is(value);

/** The one of several kinds that a value is meant to be, where its type, or what a field such as `type` says, rules out all others. */
function meantKind(choice: OutputUnit, inside: OutputUnit[]): string | null {
  const kindOf = ({ keywordLocation }: OutputUnit) =>
    `${choice.keywordLocation}/${keywordLocation.slice(choice.keywordLocation.length + 1).split('/')[0]}`;
  const rulesOut = ({ keyword, instanceLocation }: OutputUnit) => {
    const path = instanceLocation.slice(choice.instanceLocation.length).split('/');
    return (
      (keyword === 'type' && path.length === 1) ||
      ((keyword === 'const' || keyword === 'enum') && path.length === 2)
    );
  };
  const out = new Set(inside.filter(rulesOut).map(kindOf));
  const left = [...new Set(inside.map(kindOf))].filter((kind) => !out.has(kind));
  return out.size > 0 && left.length === 1 ? (left[0] ?? null) : null;
}

/** The validator speaks of instances and properties; readers of the reference know values and fields. */
function messageOf({ keyword, keywordLocation, error }: OutputUnit, schema: Schema): string {
  const quoted = /"([^"]+)"/.exec(error)?.[1];
  switch (keyword) {
    case 'required':
      return `The field "${quoted}" is missing.`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `There is no field "${quoted}".`;
    case 'anyOf':
    case 'oneOf':
      return 'This is none of the kinds of value that may stand here.';
    case 'enum':
    case 'const':
      return error
        .replace('Instance does not match any of', 'This must be one of')
        .replace('Instance does not match', 'This must be')
        .replace(/,/g, ', ');
    case 'pattern':
      return `This does not match the pattern ${valueAt(schema, keywordLocation)}`;
    default:
      return error.replace('Instance type', 'The type').replace('Instance', 'This');
  }
}

/** What stands in a schema at a location, which goes through references. */
function valueAt(schema: Schema, location: string): unknown {
  const step = (value: unknown, part: string): unknown => {
    const next = (value as Schema | undefined)?.[decodeURIComponent(part)];
    return part === '$ref' && typeof next === 'string' ? valueAt(schema, next) : next;
  };
  return location.split('/').slice(1).reduce(step, schema);
}

/** "#/rows/2/title" as "rows[2].title". */
function placeOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((place, part) => {
      if (/^\d+$/.test(part)) return `${place}[${part}]`;
      return place === '' ? part : `${place}.${part}`;
    }, '');
}

/** Where a text stops being JSON, in words of our own: those of browsers differ, and many name no place. */
function placed(text: string, { at, expected }: Fault): string {
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return `This is not JSON, from ${place} on: expected ${expected}, found ${foundAt(text, at)}.`;
}

function foundAt(text: string, at: number): string {
  if (at >= text.length) return 'the end';
  if (/[\n\r]/.test(text[at] ?? '')) return 'the end of the line';
  const found = /^(?:[\p{L}\p{N}_$]{1,20}|.)/u.exec(text.slice(at, at + 40))?.[0] ?? '';
  return found === '"' ? 'a double quote' : JSON.stringify(found);
}
