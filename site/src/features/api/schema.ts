/** What the messages about a value look up in its schema. */

export type Schema = { [keyword: string]: unknown };

/** What stands in a schema at a location, which goes through references. */
export function valueAt(schema: Schema, location: string): unknown {
  const step = (value: unknown, part: string): unknown => {
    const next = fieldsOf(value)[part];
    return part === '$ref' && typeof next === 'string' ? valueAt(schema, next) : next;
  };
  return partsOf(location).reduce(step, schema);
}

/** What stands in a value at a location. */
export function instanceAt(value: unknown, location: string): unknown {
  return partsOf(location).reduce((inner: unknown, part) => fieldsOf(inner)[part], value);
}

/** The parts of a JSON pointer in a fragment. */
export function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** All that holds for a value at once: a schema, what it refers to, and what it is put together from. */
export function layersOf(schema: unknown, whole: Schema): Schema[] {
  const layers: Schema[] = [];
  const waiting = [schema];
  while (waiting.length > 0) {
    const layer = waiting.shift();
    if (!isObject(layer) || layers.includes(layer)) continue;
    layers.push(layer);
    if (typeof layer.$ref === 'string') waiting.push(valueAt(whole, layer.$ref));
    waiting.push(...listOf(layer.allOf));
  }
  return layers;
}

/** The values that a schema lists, if it does. */
export function listedBy(schema: unknown, whole: Schema): unknown[] | null {
  for (const layer of layersOf(schema, whole)) {
    if (Array.isArray(layer.enum)) return layer.enum;
    if ('const' in layer) return [layer.const];
  }
  return null;
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
