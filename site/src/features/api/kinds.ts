/** Which one of several kinds a value is meant to be, so that what is said is about that one. */
import type { OutputUnit } from '@cfworker/json-schema';
import { nearest } from './nearest';
import {
  fieldsOf,
  instanceAt,
  isObject,
  layersOf,
  listedBy,
  listOf,
  type Schema,
  valueAt,
} from './schema';

/** The place in the schema of the one kind, or what there is to say of all of them. */
export type Meant = { kind: string } | { instanceLocation: string; message: string };

interface Kind {
  location: string;
  schema: unknown;
  errors: OutputUnit[];
}

const UNKNOWN = 'This is none of the kinds of value that may stand here.';

/** Keywords that say of a value itself that it has not the fields of a kind. */
const OF_FIELDS = new Set(['required', 'additionalProperties', 'unevaluatedProperties']);

/** `inside` are the errors of all kinds, in the order in which the validator found them. */
export function meantKind(
  choice: OutputUnit,
  inside: OutputUnit[],
  whole: Schema,
  value: unknown,
): Meant {
  const { instanceLocation, keywordLocation } = choice;
  const says = (message: string, field?: string): Meant => ({
    instanceLocation: field === undefined ? instanceLocation : `${instanceLocation}/${field}`,
    message,
  });
  if (/\([1-9]\d* matches\)/.test(choice.error)) {
    return says('This is several of the kinds of value that may stand here, and may be one only.');
  }
  const kinds = listOf(valueAt(whole, keywordLocation)).map((schema, index): Kind => {
    const location = `${keywordLocation}/${index}`;
    const errors = inside.filter((error) => error.keywordLocation.startsWith(`${location}/`));
    return { location, schema, errors };
  });
  const given = instanceAt(value, instanceLocation);
  const isOwn = (error: OutputUnit) => error.instanceLocation === instanceLocation;
  const live = kinds.filter(
    ({ location, errors }) =>
      !errors.some((error) => isOwn(error) && rulesOut(error, location, given)),
  );
  const only = live.length === 1 ? live[0] : undefined;
  if (live.length > 0 && isObject(given)) {
    if (only) return { kind: only.location };
    return kindByFields(live, given, isOwn, whole, says);
  }
  const others = kinds.filter((kind) => !isNull(kind.schema, whole));
  // Text can be meant to be of a kind whose type it has not: "12" for 12.
  const isOnly = others.length === 1 || typeof given !== 'string' || !only?.errors.every(isOwn);
  if (only && isOnly) return { kind: only.location };
  return says(`${listed(kinds, whole)}${suggestion(given, kinds, whole)}`);
}

/** A type does, and for what is no text a list of values: of text, a value of the list may be meant. */
function rulesOut({ keyword, keywordLocation }: OutputUnit, kind: string, given: unknown): boolean {
  if (/\/(anyOf|oneOf)\//.test(keywordLocation.slice(kind.length))) return false;
  const isList = keyword === 'enum' || keyword === 'const';
  return keyword === 'type' || (isList && typeof given !== 'string');
}

function kindByFields(
  kinds: Kind[],
  given: Schema,
  isOwn: (error: OutputUnit) => boolean,
  whole: Schema,
  says: (message: string, field?: string) => Meant,
): Meant {
  const strangeness = ({ errors }: Kind) =>
    errors.filter((error) => isOwn(error) && OF_FIELDS.has(error.keyword)).length;
  const least = (some: Kind[]) => {
    const fewest = Math.min(...some.map(strangeness));
    return some.filter((kind) => strangeness(kind) === fewest);
  };
  const tags = kinds.map((kind) => tagsOf(kind.schema, whole));
  const tag = mostCommon(tags.flatMap((fields) => [...fields.keys()]));
  const tagged = tag === null ? [] : [...new Set(tags.flatMap((fields) => fields.get(tag) ?? []))];
  if (tag !== null && Object.hasOwn(given, tag)) {
    const met = kinds.filter((_, index) => tags[index]?.get(tag)?.includes(given[tag]));
    const untagged = kinds.filter((_, index) => !tags[index]?.has(tag));
    const [kind] = met.length > 0 ? least(met) : untagged.filter((one) => strangeness(one) === 0);
    return kind ? { kind: kind.location } : says(oneOf(tagged, given[tag]), tag);
  }
  const likely = least(kinds);
  const hasTag = (kind: Kind) => tag !== null && tags[kinds.indexOf(kind)]?.has(tag) === true;
  if (tagged.length > 1 && likely.every(hasTag)) return says(missing(`${tag}`, tagged));
  const [first] = likely;
  if (first && likely.length === 1) return { kind: first.location };
  const lacking = likely.flatMap(({ errors }) =>
    errors.filter((error) => isOwn(error) && error.keyword === 'required').map(nameIn),
  );
  const names = [...new Set(lacking)].map((name) => JSON.stringify(name));
  return says(names.length > 0 ? `The field ${either(names)} is missing.` : listed(kinds, whole));
}

/** The fields that a kind must have, and of which it lists the values. */
function tagsOf(schema: unknown, whole: Schema): Map<string, unknown[]> {
  const layers = layersOf(schema, whole);
  const tags = new Map<string, unknown[]>();
  for (const name of layers.flatMap(({ required }) => listOf(required))) {
    if (typeof name !== 'string') continue;
    const lists = layers.map(({ properties }) => listedBy(fieldsOf(properties)[name], whole));
    const list = lists.find((values) => values !== null);
    if (list) tags.set(name, list);
  }
  return tags;
}

function mostCommon(names: string[]): string | null {
  const count = (name: string) => names.filter((other) => other === name).length;
  return names.reduce<string | null>(
    (best, name) => (best === null || count(name) > count(best) ? name : best),
    null,
  );
}

/** "This must be one of …", with the one that was meant where that can be told. */
export function oneOf(values: readonly unknown[], given: unknown): string {
  const texts = values.map((value) => JSON.stringify(value));
  const must = texts.length === 1 ? `${texts[0]}` : `one of [${texts.join(', ')}]`;
  return `This must be ${must}.${texts.length === 1 ? '' : didYouMean(given, values)}`;
}

/** The one sentence about a field that is not there, with the values of which it must have one. */
export function missing(name: string, values: readonly unknown[] | null): string {
  const list = values === null ? '' : ` ${oneOf(values, null).replace('This', 'It')}`;
  return `The field "${name}" is missing.${list}`;
}

export function didYouMean(given: unknown, values: readonly unknown[]): string {
  if (typeof given !== 'string') return '';
  const near = nearest(
    given,
    values.filter((value) => typeof value === 'string'),
  );
  return near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`;
}

/** The name that an error is about, which stands in it in quotes. */
export function nameIn({ error }: OutputUnit): string {
  return /"(.*)"/s.exec(error)?.[1] ?? '';
}

function listed(kinds: Kind[], whole: Schema): string {
  const names = kinds.map(({ schema }) => wordsFor(schema, whole));
  if (names.length === 0 || names.includes(null)) return UNKNOWN;
  return `This must be ${either([...new Set(names.flatMap((name) => name ?? []))])}.`;
}

/** What a kind is called, or the kinds that it consists of. */
function wordsFor(schema: unknown, whole: Schema): string[] | null {
  const values = listedBy(schema, whole);
  if (values) return values.map((value) => JSON.stringify(value));
  const layers = layersOf(schema, whole);
  const first = (keyword: string) => layers.find((layer) => keyword in layer)?.[keyword];
  const inner = listOf(first('anyOf') ?? first('oneOf'));
  if (inner.length > 0) {
    const words = inner.map((one) => wordsFor(one, whole));
    return words.includes(null) ? null : words.flatMap((one) => one ?? []);
  }
  const type = first('type');
  const types = typeof type === 'string' ? [type] : [...listOf(type)];
  const [from, to, pattern] = [first('minimum'), first('maximum'), first('pattern')];
  const range = from === undefined || to === undefined ? '' : ` from ${from} to ${to}`;
  const words: { [type: string]: string } = {
    string: pattern === undefined ? 'text' : `text that matches ${pattern}`,
    integer: `a whole number${range}`,
    number: `a number${range}`,
    boolean: 'true or false',
    object: 'an object',
    array: 'a list',
    null: 'null',
  };
  // A schema that names fields is about objects, whether it says so or not.
  if (types.length === 0 && first('properties') !== undefined) types.push('object');
  const known = types.flatMap((one) => words[String(one)] ?? []);
  return known.length > 0 ? known : null;
}

function either(words: string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

function isNull(schema: unknown, whole: Schema): boolean {
  return layersOf(schema, whole).some(({ type }) => type === 'null');
}

function suggestion(given: unknown, kinds: Kind[], whole: Schema): string {
  if (typeof given !== 'string') return '';
  const near = didYouMean(
    given,
    kinds.flatMap(({ schema }) => listedBy(schema, whole) ?? []),
  );
  if (near !== '') return near;
  const wanted = kinds.flatMap(({ schema }) => layersOf(schema, whole)).flatMap(({ type }) => type);
  const isNumber =
    /^-?\d+(\.\d+)?$/.test(given) && wanted.some((type) => type === 'integer' || type === 'number');
  const isTruth = /^(true|false)$/.test(given) && wanted.includes('boolean');
  return isNumber || isTruth ? ` Did you mean ${given}, without quotes?` : '';
}
