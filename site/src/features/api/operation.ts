/** What the console knows of an operation: one file of the site's own, made with the reference. */
import {
  array,
  boolean,
  type Decoder,
  nullable,
  object,
  oneOf,
  record,
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

const table = record((value) => value);

const jsonSchema: Decoder<JsonSchema> = (value, at) =>
  typeof value === 'boolean' ? value : table(value, at);

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
  schemas: record(jsonSchema),
});
