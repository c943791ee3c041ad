/** Holds what is typed into the console to the schemas of the operation. */
import { type OutputUnit, Validator } from '@cfworker/json-schema';
import type { ConsoleOperation, JsonSchema, Parameter } from './operation';

export interface Problem {
  /** Where in the value: `rows[2].title`; empty for the whole. */
  place: string;
  message: string;
}

/** What is wrong with one value of the form. */
export type Check = (text: string) => Problem[];

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

/** The check of a body, which is JSON. */
export function bodyCheck(operation: ConsoleOperation): Check {
  const { body } = operation;
  if (body === null) return () => [];
  const validator = validatorOf(body.schema, operation);
  return (text) => {
    if (text.trim() === '') {
      return body.required ? [{ place: '', message: 'The body is missing.' }] : [];
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return [{ place: '', message: `This is not JSON: ${placed(text, error)}` }];
    }
    return problemsOf(validator.validate(value).errors);
  };
}

/** The check of a parameter, which is text that may stand for a number or a truth value. */
export function parameterCheck(parameter: Parameter, operation: ConsoleOperation): Check {
  const validator = validatorOf(parameter.schema, operation);
  return (text) => {
    if (text === '') {
      return parameter.required
        ? [{ place: parameter.name, message: 'This parameter is missing.' }]
        : [];
    }
    // `12` may be meant as a number or as a name: it is wrong only if it is neither.
    const found = [text, plainValue(text)].map((value) => validator.validate(value).errors);
    if (found.some((errors) => errors.length === 0)) return [];
    return problemsOf(found.at(-1) ?? []).map((problem) => ({ ...problem, place: parameter.name }));
  };
}

function validatorOf(schema: JsonSchema, { schemas }: ConsoleOperation): Validator {
  const whole = typeof schema === 'boolean' ? { allOf: [schema] } : schema;
  return new Validator({ ...whole, $defs: schemas }, '2020-12', false);
}

function plainValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function problemsOf(errors: OutputUnit[]): Problem[] {
  // What is wrong with each of several kinds says less than that it is none of them.
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const isInside = ({ keywordLocation }: OutputUnit) =>
    choices.some((choice) => keywordLocation.startsWith(`${choice.keywordLocation}/`));
  const problems = errors
    .filter((error) => !OUTER.has(error.keyword) && error.keyword !== 'false' && !isInside(error))
    .map(({ instanceLocation, keyword, error }) => ({
      place: placeOf(instanceLocation),
      message: messageOf(keyword, error),
    }));
  return problems.slice(0, SHOWN_PROBLEMS);
}

/** The validator speaks of instances and properties; readers of the reference know values and fields. */
function messageOf(keyword: string, error: string): string {
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
        .replace(/,/g, ', ');
    default:
      return error.replace('Instance type', 'The type').replace('Instance', 'This');
  }
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

/** The parser's words, with a line and a column where it gives a position. */
function placed(text: string, error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const position = /position (\d+)/.exec(words)?.[1];
  if (position === undefined || /line \d+/.test(words)) return words;
  const before = text.slice(0, Number(position)).split('\n');
  return `${words} (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}
