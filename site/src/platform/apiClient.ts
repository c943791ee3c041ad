/** Requests to the API that a reference describes. Only the console makes them, and only when asked to. */
import { DecodeError, type Decoder } from '../shared/lib/decode';

export interface ApiRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface ApiAnswer {
  status: number;
  statusText: string;
  milliseconds: number;
  headers: [name: string, value: string][];
  body: string;
  /** Of the whole body. */
  bytes: number;
  /** Whether `body` is only its beginning. */
  isCut: boolean;
}

/** Why there is no answer. The message is for readers. */
export class ApiRequestError extends Error {
  override name = 'ApiRequestError';
}

/** More of an answer is not kept: nobody reads it here. */
const SHOWN_BYTES = 200_000;
const TIMEOUT_MS = 60_000;

/** Cookies are never sent, and a redirect, which would carry the key elsewhere, is not followed. */
export async function sendRequest(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
  const start = performance.now();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const seconds = TIMEOUT_MS / 1000;
  const { origin } = new URL(request.url);
  /** Waits for a part of the answer; what is said where it does not come depends on which one. */
  const part = async <T>(coming: Promise<T>, late: string, lost: string): Promise<T> => {
    try {
      return await coming;
    } catch (error) {
      const message = signal.aborted ? 'Cancelled.' : timeout.aborted ? late : lost;
      throw new ApiRequestError(message, { cause: error });
    }
  };
  const response = await part(
    fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      credentials: 'omit',
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.any([signal, timeout]),
    }),
    `No answer within ${seconds} seconds.`,
    `No answer from ${origin}. Is the server running, and does it allow requests from ${location.origin}?`,
  );
  if (response.type === 'opaqueredirect') {
    throw new ApiRequestError(
      `${origin} redirects to another address. The console does not follow: it would take the key there.`,
    );
  }
  const { bytes, shown } = await part(
    readBody(response),
    `${origin} answered with status ${response.status}, but not to the end within ${seconds} seconds.`,
    `${origin} answered with status ${response.status}, but the answer broke off.`,
  );
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: Math.round(performance.now() - start),
    headers: [...response.headers],
    body: new TextDecoder().decode(shown),
    bytes,
    isCut: bytes > shown.length,
  };
}

async function readBody(response: Response): Promise<{ bytes: number; shown: Uint8Array }> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  let length = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    bytes += part.value.length;
    const room = part.value.subarray(0, SHOWN_BYTES - length);
    kept.push(room);
    length += room.length;
  }
  const shown = new Uint8Array(length);
  let at = 0;
  for (const part of kept) {
    shown.set(part, at);
    at += part.length;
  }
  return { bytes, shown };
}

/** Loads what the console must know of an operation. */
export async function loadDescription<T>(url: string, decoder: Decoder<T>): Promise<T> {
  let body: unknown;
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`status ${response.status}`);
    body = await response.json();
  } catch (error) {
    throw new ApiRequestError('The description of the operation could not be loaded.', {
      cause: error,
    });
  }
  try {
    return decoder(body, 'operation');
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ApiRequestError(`The description of the operation is damaged: ${error.message}`, {
      cause: error,
    });
  }
}
