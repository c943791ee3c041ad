/** What the console knows of an operation: one file of the site's own, made with the reference. */
import {
  array,
  DecodeError,
  type Decoder,
  nullable,
  object,
  oneOf,
  string,
} from '../../shared/lib/decode';

/** A JSON Schema; only the validator looks inside. */
export type JsonSchema = boolean | { [keyword: string]: unknown };

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  example: string;
  schema: JsonSchema;
}

export interface Body {
  mediaType: string;
  required: boolean;
  schema: JsonSchema;
  examples: { summary: string; text: string }[];
}

export interface ConsoleOperation {
  id: string;
  method: string;
  path: string;
  server: string;
  key: { header: string; required: boolean } | null;
  parameters: Parameter[];
  body: Body | null;
  schemas: { [name: string]: JsonSchema };
}

const boolean: Decoder<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw new DecodeError(at, 'true or false', value);
  return value;
};

const table: Decoder<{ [key: string]: unknown }> = (value, at) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DecodeError(at, 'an object', value);
  }
  return Object.fromEntries(Object.entries(value));
};

const jsonSchema: Decoder<JsonSchema> = (value, at) =>
  typeof value === 'boolean' ? value : table(value, at);

const schemas: Decoder<{ [name: string]: JsonSchema }> = (value, at) =>
  Object.fromEntries(
    Object.entries(table(value, at)).map(([name, schema]) => [
      name,
      jsonSchema(schema, `${at}.${name}`),
    ]),
  );

export const consoleOperation: Decoder<ConsoleOperation> = object<ConsoleOperation>({
  id: string,
  method: string,
  path: string,
  server: string,
  key: nullable(
    object<{ header: string; required: boolean }>({ header: string, required: boolean }),
  ),
  parameters: array(
    object<Parameter>({
      name: string,
      in: oneOf('path', 'query'),
      required: boolean,
      description: string,
      example: string,
      schema: jsonSchema,
    }),
  ),
  body: nullable(
    object<Body>({
      mediaType: string,
      required: boolean,
      schema: jsonSchema,
      examples: array(object<Body['examples'][number]>({ summary: string, text: string })),
    }),
  ),
  schemas,
});
