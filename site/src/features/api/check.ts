/** Holds what is typed into the console to the schemas of the operation. */
import { type OutputUnit, Validator } from '@cfworker/json-schema';
import { type Fault, faultOf } from './jsonText';
import { didYouMean, meantKind, missing, nameIn, oneOf } from './kinds';
import type { ConsoleOperation, JsonSchema, Parameter } from './operation';
import { fieldsOf, instanceAt, listedBy, listOf, partsOf, type Schema, valueAt } from './schema';

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
  const held = validatorOf(body.schema, operation);
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
    return problemsOf(errorsOf(held, value), held.schema, value);
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
    const value = plainValue(text);
    const errors = validator.validate(value).errors;
    if (errors.length === 0 || validator.validate(text).valid) return [];
    return problemsOf(errors, schema, value).map((problem) => ({
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

/** All errors; those of the first part that is wrong, where there are more than the validator has room for: some ten thousand. */
function errorsOf({ schema, validator }: ReturnType<typeof validatorOf>, value: unknown) {
  try {
    return validator.validate(value).errors;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Validator(schema, '2020-12', true).validate(value).errors;
  }
}

function plainValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function problemsOf(found: OutputUnit[], schema: Schema, value: unknown): Problem[] {
  // That nothing may stand somewhere is said by the error around it as well, and in its place.
  const errors = found.filter(({ keyword }) => keyword !== 'false');
  const problems: Problem[] = [];
  // A value can be held to one rule by several parts of a schema.
  const add = (place: string, message: string) => {
    const isSaid = problems.some((said) => said.place === place && said.message === message);
    if (!isSaid) problems.push({ place, message });
  };
  /** Up to, but not including, where the errors below one end. They follow it; those of other rows have its location as well. */
  const endBelow = (index: number) => {
    const below = `${errors[index]?.keywordLocation}/`;
    let end = index + 1;
    while (errors[end]?.keywordLocation.startsWith(below)) end += 1;
    return end;
  };
  const read = (from: number, to: number) => {
    let index = from;
    while (index < to && problems.length < SHOWN_PROBLEMS) {
      const error = errors[index];
      if (!error) return;
      let next = index + 1;
      if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
        next = endBelow(index);
        const inside = errors.slice(index + 1, next);
        const meant = meantKind(error, inside, schema, value);
        if ('kind' in meant) {
          const isOfKind = isBelow(meant.kind);
          const first = errors.findIndex((one, at) => at > index && isOfKind(one));
          read(first, first + inside.filter(isOfKind).length);
        } else {
          add(placeOf(meant.instanceLocation), meant.message);
        }
      } else if (!saysMore(error, errors.slice(index + 1, endBelow(index)))) {
        add(placeOf(error.instanceLocation), messageOf(error, schema, value));
      }
      index = next;
    }
  };
  read(0, errors.length);
  return problems;
}

/** Whether an error only says that there are others. */
function saysMore({ keyword }: OutputUnit, below: OutputUnit[]): boolean {
  // Where other fields are of one kind, what is wrong stands further in.
  return OUTER.has(keyword) || (keyword === 'additionalProperties' && below.length > 0);
}

const isBelow =
  (location: string) =>
  ({ keywordLocation }: OutputUnit) =>
    keywordLocation.startsWith(`${location}/`);

/** The validator speaks of instances and properties; readers of the reference know values and fields. */
function messageOf(unit: OutputUnit, schema: Schema, value: unknown): string {
  const { keyword, keywordLocation, instanceLocation, error } = unit;
  const given = instanceAt(value, instanceLocation);
  const name = nameIn(unit);
  const known = fieldsOf(valueAt(schema, keywordLocation.replace(/\/[^/]*$/, '/properties')));
  switch (keyword) {
    case 'required':
      return missing(name, listedBy(known[name], schema));
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const free = Object.keys(known).filter((other) => !Object.hasOwn(fieldsOf(given), other));
      return `There is no field "${name}".${didYouMean(name, free)}`;
    }
    case 'enum':
      return oneOf(listOf(valueAt(schema, keywordLocation)), given);
    case 'const':
      return oneOf([valueAt(schema, keywordLocation)], given);
    case 'pattern':
      return `This does not match the pattern ${valueAt(schema, keywordLocation)}`;
    default:
      return error.replace('Instance type', 'The type').replace('Instance', 'This');
  }
}

/** "#/rows/2/title" as "rows[2].title". */
function placeOf(pointer: string): string {
  return partsOf(pointer).reduce((place, part) => {
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
