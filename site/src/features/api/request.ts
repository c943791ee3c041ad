/** The request that the console's form describes. */
import type { ApiRequest } from '../../platform/apiClient';
import type { ConsoleOperation } from './operation';

export interface FormValues {
  parameters: { [name: string]: string };
  body: string;
}

export function firstValues(operation: ConsoleOperation): FormValues {
  return {
    parameters: Object.fromEntries(
      operation.parameters.map(({ name, example }) => [name, example]),
    ),
    body: operation.body?.examples[0]?.text ?? '',
  };
}

/** The address with the parameters in it; those of the path that are empty stay visible as their names. */
export function addressOf(operation: ConsoleOperation, values: FormValues): string {
  let path = operation.path;
  const query = new URLSearchParams();
  for (const { name, in: place } of operation.parameters) {
    const value = values.parameters[name] ?? '';
    if (value === '') continue;
    if (place === 'path') path = path.replace(`{${name}}`, inAddress(value));
    else query.append(name, value);
  }
  const search = query.toString();
  return `${operation.server}${path}${search === '' ? '' : `?${search}`}`;
}

/** Half of a character becomes the sign for what is none, as in a query: it is shown, and never sent. */
function inAddress(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'));
}

export function requestOf(
  operation: ConsoleOperation,
  values: FormValues,
  key: string,
): ApiRequest {
  const headers: Record<string, string> = {};
  if (operation.key !== null && key !== '') headers[operation.key.header] = key;
  const body = operation.body !== null && values.body.trim() !== '' ? values.body : null;
  if (operation.body !== null && body !== null) headers['content-type'] = operation.body.mediaType;
  return { method: operation.method, url: addressOf(operation, values), headers, body };
}
