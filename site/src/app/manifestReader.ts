/** Reads the indexer's manifest, of which most is what it was at the build before. */
import { readFileSync } from 'node:fs';
import { type Manifest, manifest, manifestFields } from '../shared/content/manifest';
import type { Decoder } from '../shared/lib/decode';

interface Field {
  line: Buffer;
  value: unknown;
}

const NEWLINE = 10;
const COMMA = 44;

export class ManifestReader {
  #fields = new Map<string, Field>();

  /** Each field that is the same as in the manifest before is the same value. */
  read(file: string): Manifest {
    const bytes = readFileSync(file);
    const lines = fieldLines(bytes);
    if (lines === null) return manifest(JSON.parse(bytes.toString()), file);
    const earlier = this.#fields;
    this.#fields = new Map();
    for (const line of lines) {
      const name = nameOf(line);
      const known = earlier.get(name);
      this.#fields.set(name, known?.line.equals(line) ? known : decoded(name, line, file));
    }
    const all = Object.entries<Decoder<unknown>>(manifestFields).map(([name, decode]) => {
      const field = this.#fields.get(name);
      return [name, field ? field.value : decode(undefined, `${file}.${name}`)];
    });
    return Object.fromEntries(all) as Manifest;
  }
}

/** Where every field has a line of its own, as the indexer writes it: those, without the comma. */
function fieldLines(bytes: Buffer): Buffer[] | null {
  const lines: Buffer[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    lines.push(bytes.subarray(start, bytes[end - 1] === COMMA ? end - 1 : end));
    start = end + 1;
  }
  const [first, ...fields] = lines;
  const last = fields.pop();
  const isByLine = first?.toString() === '{' && last?.toString() === '}';
  return isByLine && fields.every((line) => nameOf(line) !== '') ? fields : null;
}

/** The name that a line begins with; empty where it does not. */
function nameOf(line: Buffer): string {
  return /^"(\w+)":/.exec(line.toString('latin1', 0, 40))?.[1] ?? '';
}

function decoded(name: string, line: Buffer, file: string): Field {
  const value = JSON.parse(`{${line.toString()}}`)[name];
  const fields: Record<string, Decoder<unknown>> = manifestFields;
  const decode = fields[name];
  // What nobody here asks for is not kept.
  return { line, value: decode === undefined ? null : decode(value, `${file}.${name}`) };
}
