import { expect, test } from 'vitest';
import { bodyCheck } from './check';
import { nearest } from './nearest';
import type { ConsoleOperation, JsonSchema } from './operation';

/** One of several schemas, by what the field `type` says. */
function byType(kinds: { [type: string]: string }): JsonSchema {
  return {
    required: ['type'],
    properties: { type: { enum: Object.keys(kinds) } },
    allOf: Object.entries(kinds).map(([type, name]) => ({
      if: { required: ['type'], properties: { type: { enum: [type] } } },
      // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's
      then: { $ref: `#/$defs/${name}` },
    })),
  };
}

function fields(properties: { [name: string]: JsonSchema }, ...required: string[]): JsonSchema {
  return { type: 'object', additionalProperties: false, properties, required };
}

const reference = { type: 'string', pattern: '^\\$param\\.[a-z]+$' };
const orReference = (...schemas: JsonSchema[]): JsonSchema => ({
  anyOf: [...schemas, reference, { type: 'null' }],
});

/** Kinds within kinds, as those of "Run a query". */
const OPERATION: ConsoleOperation = {
  id: 'run_query',
  method: 'POST',
  path: '/query',
  server: 'https://api.example/v2',
  key: null,
  parameters: [],
  body: {
    mediaType: 'application/json',
    required: true,
    schema: fields({ query: { $ref: '#/$defs/Query' }, tune: { $ref: '#/$defs/Tune' } }),
    examples: [],
  },
  schemas: {
    Query: {
      anyOf: [
        { $ref: '#/$defs/TypedQuery' },
        {
          type: 'object',
          required: ['type', 'from'],
          properties: { type: { enum: ['rank'] }, from: { $ref: '#/$defs/Source' } },
        },
        fields({ rank: fields({ from: { $ref: '#/$defs/Source' } }, 'from') }, 'rank'),
      ],
    },
    Source: { type: 'string', enum: ['items', 'users'] },
    TypedQuery: byType({ rank_items: 'RankItems', rank_users: 'RankUsers' }),
    RankItems: fields(
      {
        type: { enum: ['rank_items'] },
        retrieve: { type: 'array', items: { $ref: '#/$defs/Step' } },
        limit: orReference({ type: 'integer', minimum: 1, maximum: 1000 }),
        exact: orReference({ type: 'boolean' }),
        pooling: orReference({ type: 'string', enum: ['mean', 'max'] }),
        name: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
      },
      'type',
      'retrieve',
    ),
    RankUsers: fields({ type: { enum: ['rank_users'] } }, 'type'),
    Step: byType({ text_search: 'TextSearch', similarity: 'Similarity' }),
    TextSearch: fields({ type: { type: 'string' }, text: { type: 'string' } }, 'type', 'text'),
    Similarity: fields({ type: { type: 'string' } }, 'type'),
    Tune: {
      oneOf: [
        fields({ type: { const: 'range' }, from: { type: 'number' } }, 'type', 'from'),
        fields({ type: { const: 'list' }, values: { type: 'array' } }, 'type', 'values'),
      ],
    },
  },
};

const said = (body: unknown) =>
  bodyCheck(OPERATION)(JSON.stringify(body)).map(({ place, message }) => `${place}: ${message}`);

const TYPES = '["rank_items", "rank_users", "rank"]';
const LIMIT =
  'This must be a whole number from 1 to 1000, text that matches ^\\$param\\.[a-z]+$ or null.';

test.each<[query: unknown, problems: string[]]>([
  [{ type: 'rank_itemz' }, [`.type: This must be one of ${TYPES}. Did you mean "rank_items"?`]],
  [{ type: 'neighbours' }, [`.type: This must be one of ${TYPES}.`]],
  [{ type: 5 }, [`.type: This must be one of ${TYPES}.`]],
  [{ limit: 3 }, [`: The field "type" is missing. It must be one of ${TYPES}.`]],
  [{}, [': The field "type" or "rank" is missing.']],
  [3, [': This must be an object.']],
  [
    { rank: { from: 'itemz' } },
    ['.rank.from: This must be one of ["items", "users"]. Did you mean "items"?'],
  ],
  [{ type: 'rank' }, [': The field "from" is missing. It must be one of ["items", "users"].']],
  [{ type: 'rank', from: 'moon' }, ['.from: This must be one of ["items", "users"].']],
  [{ type: 'rank_users', limit: 1 }, [': There is no field "limit".']],
  [
    { type: 'rank_items', retreive: [] },
    [
      ': The field "retrieve" is missing.',
      ': There is no field "retreive". Did you mean "retrieve"?',
    ],
  ],
  [
    {
      type: 'rank_items',
      retrieve: [{ type: 'similarity' }, { type: 'text_search' }, { type: 'text_serach' }],
    },
    [
      '.retrieve[1]: The field "text" is missing.',
      '.retrieve[2].type: This must be one of ["text_search", "similarity"]. Did you mean "text_search"?',
    ],
  ],
])('the query %j', (query, problems) => {
  expect(said({ query })).toEqual(problems.map((problem) => `query${problem}`));
});

test.each<[part: object, problems: string[]]>([
  [{ limit: 12 }, []],
  [{ limit: '$param.n' }, []],
  [{ limit: '12' }, [`limit: ${LIMIT} Did you mean 12, without quotes?`]],
  [{ limit: 'many' }, [`limit: ${LIMIT}`]],
  [{ limit: 1.5 }, [`limit: ${LIMIT}`]],
  [{ limit: 5000 }, ['limit: 5000 is greater than 1000.']],
  [
    { exact: 'true' },
    [
      'exact: This must be true or false, text that matches ^\\$param\\.[a-z]+$ or null. Did you mean true, without quotes?',
    ],
  ],
  [
    { pooling: 'meen' },
    [
      'pooling: This must be "mean", "max", text that matches ^\\$param\\.[a-z]+$ or null. Did you mean "mean"?',
    ],
  ],
  // One kind that is not null: what is wrong with it says more.
  [{ name: '' }, ['name: String is too short (0 < 1).']],
])('a field of a query, %j', (part, problems) => {
  const query = { type: 'rank_items', retrieve: [], ...part };
  expect(said({ query })).toEqual(problems.map((problem) => `query.${problem}`));
});

test.each<[tune: unknown, problems: string[]]>([
  [{ type: 'range', from: '1' }, ['.from: The type "string" is invalid. Expected "number".']],
  [{ type: 'rnage' }, ['.type: This must be one of ["range", "list"]. Did you mean "range"?']],
  [{ from: 1 }, [': The field "type" is missing. It must be one of ["range", "list"].']],
])('the alternative %j', (tune, problems) => {
  expect(said({ tune })).toEqual(problems.map((problem) => `tune${problem}`));
});

test('many rows that are wrong take no time that grows with their square', () => {
  const retrieve = Array.from({ length: 20_000 }, () => ({ type: 'text_serach' }));
  const start = performance.now();
  expect(said({ query: { type: 'rank_items', retrieve } })).toHaveLength(8);
  expect(performance.now() - start).toBeLessThan(5000);
});

test.each([
  ['rank_itemz', 'rank_items'],
  ['RANK_USERS', 'rank_users'],
  ['rnak_items', 'rank_items'],
  ['items', null],
  ['', null],
  ['x'.repeat(100_000), null],
])('%j is near to %j', (word, near) => {
  expect(nearest(word, ['rank_items', 'rank_users'])).toBe(near);
});
