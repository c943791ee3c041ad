import { expect, test } from 'vitest';
import { bodyCheck, keyCheck, parameterCheck } from './check';
import type { ConsoleOperation, JsonSchema, Parameter } from './operation';

function operation(schema: JsonSchema, schemas: { [name: string]: JsonSchema }): ConsoleOperation {
  return {
    id: 'run_query',
    method: 'POST',
    path: '/query',
    server: 'https://api.example/v2',
    key: null,
    parameters: [],
    body: { mediaType: 'application/json', required: true, schema, examples: [] },
    schemas,
  };
}

const query = operation(
  {
    type: 'object',
    required: ['retrieve'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', pattern: '^[a-z]+$' },
      retrieve: {
        type: 'array',
        items: { oneOf: [{ $ref: '#/$defs/Text' }, { $ref: '#/$defs/Filter' }] },
      },
      columns: { type: 'object', additionalProperties: { enum: ['String', 'Int'] } },
      value: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] },
    },
  },
  {
    Text: {
      type: 'object',
      required: ['type', 'mode'],
      properties: {
        type: { const: 'text' },
        mode: { enum: ['lexical', 'hybrid'] },
        limit: { minimum: 1 },
      },
    },
    Filter: {
      type: 'object',
      required: ['type', 'where'],
      properties: { type: { const: 'filter' }, where: { type: 'string', pattern: '=' } },
    },
  },
);

const said = (body: unknown) =>
  bodyCheck(query)(typeof body === 'string' ? body : JSON.stringify(body)).map(
    ({ place, message }) => `${place}: ${message}`.trim(),
  );

test.each([
  [{ retrieve: [] }, []],
  ['', [': The body is missing.']],
  ['[]', [': The type "array" is invalid. Expected "object".']],
  [
    { name: 'A' },
    [': The field "retrieve" is missing.', 'name: This does not match the pattern ^[a-z]+$'],
  ],
  [{ retrieve: [], more: 1 }, [': There is no field "more".']],
  ['{"retrieve": [{"a\\ud83d": 1}]}', [': Half of a character stands in the name of a field.']],
  // Its type says which kind it is.
  [
    { retrieve: [{ type: 'text' }] },
    ['retrieve[0]: The field "mode" is missing. It must be one of ["lexical", "hybrid"].'],
  ],
  [
    {
      retrieve: [
        { type: 'text', mode: 'lexical' },
        { type: 'text', mode: 'lexical', limit: 0 },
      ],
    },
    ['retrieve[1].limit: 0 is less than 1.'],
  ],
  [
    { retrieve: [{ type: 'filter', where: 3 }] },
    ['retrieve[0].where: The type "number" is invalid. Expected "string".'],
  ],
  [
    { retrieve: [{ type: 'filter', where: 'a' }] },
    ['retrieve[0].where: This does not match the pattern ='],
  ],
  [
    { retrieve: [{ type: 'other' }] },
    ['retrieve[0].type: This must be one of ["text", "filter"].'],
  ],
  [{ retrieve: [], value: ['a'] }, ['value[0]: The type "string" is invalid. Expected "number".']],
  [{ retrieve: [], value: 1 }, ['value: This must be text or a list.']],
  // Other fields are of one kind: the field is there, and wrong.
  [
    { retrieve: [], columns: { a: 'Strng' } },
    ['columns.a: This must be one of ["String", "Int"]. Did you mean "String"?'],
  ],
])('%j', (body, problems) => {
  expect(said(body)).toEqual(problems);
});

test.each([
  ['{"name": CUSTOM}', 1, 10, 'a value, found "CUSTOM"'],
  ['{\n  "name": "a"\n  "more": 1\n}', 3, 3, '"," or "}", found a double quote'],
  ['{"retrieve": [', 1, 15, 'a value or "]", found the end'],
  ['{"name": "a\n"}', 1, 12, 'the end of a text ("), found the end of the line'],
  ["{'name': 1}", 1, 2, 'the name of a field in double quotes or "}", found "\'"'],
  ['[1,]', 1, 4, 'a value, found "]"'],
  ['{} {}', 1, 4, 'nothing more, found "{"'],
  ['[01]', 1, 3, '"," or "]", found "1"'],
])('%j is no JSON, and where', (text, line, column, words) => {
  expect(said(text)).toEqual([
    `: This is not JSON, from line ${line}, column ${column} on: expected ${words}.`,
  ]);
});

test('a value with more errors than the validator has room for has problems, too', () => {
  const retrieve = Array.from({ length: 60_000 }, () => ({ type: 'text', mode: 'none', limit: 0 }));
  expect(said({ retrieve })[0]).toMatch(/^retrieve\[0\]/);
});

test('each problem is said once, however many parts of a schema say it', () => {
  const twice = operation(
    { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/A' }] },
    { A: { type: 'object' } },
  );
  expect(bodyCheck(twice)('[]')).toHaveLength(1);
});

test.each([
  ['films', []],
  ['', ['This parameter is missing.']],
  ['..', ['".." cannot stand in an address.']],
  ['.', ['"." cannot stand in an address.']],
  ['..a', []],
  ['x\ud83d', ['Half of a character stands here: its other half is missing.']],
  ['\ude00x', ['Half of a character stands here: its other half is missing.']],
  ['x\ud83d\ude00', []],
])('%j in a path', (text, messages) => {
  const name: Parameter = {
    name: 'dataset_name',
    in: 'path',
    required: true,
    description: '',
    example: '',
    schema: { type: 'string' },
  };
  const problems = parameterCheck(name, query)(text);
  expect(problems.map(({ message }) => message)).toEqual(messages);
  expect(problems.every(({ place }) => place === 'dataset_name')).toBe(true);
});

test.each([
  ['a-B_9', 0],
  ['~!"#=+/{}', 0],
  ['ключ', 1],
  ['é', 1],
  ['a b', 1],
])('the key %j', (key, count) => {
  const problems = keyCheck({ header: 'x-api-key', required: true })(key);
  expect(problems).toHaveLength(count);
  for (const { message } of problems) expect(message).toContain('ASCII letters, digits and signs');
});

test.each([true, false])('no key where one is required: %s', (required) => {
  const problems = keyCheck({ header: 'x-api-key', required })('');
  expect(problems.map(({ message }) => message)).toEqual(required ? ['This key is missing.'] : []);
});
