/**
 * The live search call: one POST to the platform's retrieve endpoint per query.
 *
 * Whatever the server does, the caller gets one of a few outcomes and never an exception. A host that
 * could not be reached or did not answer in time rests for a while, so that a reader on a dead
 * network does not wait again at each key; `forgetFailures` ends the rest early.
 *
 * `fetch` tells nothing about connecting, so one clock covers connecting, waiting and reading.
 */
import type { components } from '../generated/apiV1';
import { isRecord, readText } from './decode';

type RetrieveRequest = components['schemas']['RetrieveRequest'];
type RetrieveResponse = components['schemas']['RetrieveResponse'];

export interface RetrieveOptions {
  readonly apiUrl: string;
  readonly model: string;
  readonly key: string;
  /** How many results are asked for; more than these are not looked at. */
  readonly limit: number;
  /** Of these, how many are handed on, and how many of one page at the most. */
  readonly keep: number;
  readonly keepPerPage: number;
  readonly timeoutMs: number;
  readonly cooldownMs: number;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** One row of the answer's `metadata`; a column that is missing or no text is absent. */
interface Metadata {
  item_id?: string;
  url: string;
  folder?: string;
  header_1?: string;
  header_2?: string;
  header_3?: string;
  header_4?: string;
  body?: string;
}

export type RetrieveFailure =
  /** The server answered with an error status or a redirect. */
  | 'http'
  | 'unreachable'
  | 'timeout'
  /** The answer is no JSON, or larger than any answer of ours. */
  | 'malformed'
  /** Not asked: the host did not answer a moment ago. */
  | 'resting';

export type RetrieveOutcome =
  | { readonly status: 'answered'; readonly metadata: Metadata[] }
  | { readonly status: 'failed'; readonly reason: RetrieveFailure; readonly detail: string }
  /** The caller's signal ended the call. */
  | { readonly status: 'cancelled' };

export interface RetrieveClient {
  retrieve(query: string, signal: AbortSignal): Promise<RetrieveOutcome>;
  /** Tries a resting host again with the next call. */
  forgetFailures(): void;
}

/** Twenty sections are far smaller; what is larger is not an answer of ours and is not read to its end. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_FIELD = 2_000;
const MAX_BODY_TEXT = 50_000;
const OPTIONAL_COLUMNS = {
  item_id: MAX_FIELD,
  folder: MAX_FIELD,
  header_1: MAX_FIELD,
  header_2: MAX_FIELD,
  header_3: MAX_FIELD,
  header_4: MAX_FIELD,
  body: MAX_BODY_TEXT,
} as const;

export function createRetrieveClient(options: RetrieveOptions): RetrieveClient {
  const endpoint = `${options.apiUrl.replace(/\/+$/, '')}/models/${encodeURIComponent(options.model)}/retrieve`;
  let restsUntil = Number.NEGATIVE_INFINITY;

  async function retrieve(query: string, signal: AbortSignal): Promise<RetrieveOutcome> {
    if (options.now() < restsUntil) {
      return failed('resting', 'the host did not answer a moment ago and is not asked again yet');
    }
    const outcome = await request(endpoint, query, signal, options);
    if (
      outcome.status === 'failed' &&
      (outcome.reason === 'unreachable' || outcome.reason === 'timeout')
    ) {
      restsUntil = options.now() + options.cooldownMs;
    }
    return outcome;
  }

  return {
    retrieve,
    forgetFailures() {
      restsUntil = Number.NEGATIVE_INFINITY;
    },
  };
}

async function request(
  endpoint: string,
  query: string,
  signal: AbortSignal,
  options: RetrieveOptions,
): Promise<RetrieveOutcome> {
  if (signal.aborted) {
    return { status: 'cancelled' };
  }
  const abort = new AbortController();
  const cancel = () => abort.abort();
  signal.addEventListener('abort', cancel, { once: true });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    abort.abort();
  }, options.timeoutMs);
  try {
    // Not `options.fetch(...)`: browsers refuse a fetch that is called on another object.
    const { fetch } = options;
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': options.key },
      body: JSON.stringify({
        text_query: query,
        return_metadata: true,
        config: { limit: options.limit },
      } satisfies RetrieveRequest),
      signal: abort.signal,
      cache: 'no-store',
      credentials: 'omit',
      // A redirect would carry the key to another address.
      redirect: 'manual',
    });
    if (!response.ok) {
      abort.abort();
      return failed(
        'http',
        response.type === 'opaqueredirect'
          ? 'the server answered with a redirect'
          : `the server answered with status ${response.status}`,
      );
    }
    const text = await readLimited(response, MAX_BODY_BYTES);
    if (text === null) {
      abort.abort();
      return failed('malformed', `the answer is longer than ${MAX_BODY_BYTES} bytes`);
    }
    return parse(text, options);
  } catch (error) {
    if (signal.aborted) {
      return { status: 'cancelled' };
    }
    if (timedOut) {
      return failed('timeout', `no complete answer within ${options.timeoutMs} ms`);
    }
    return failed('unreachable', error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

/** The body as text, or null as soon as it is longer than `max` bytes. */
async function readLimited(response: Response, max: number): Promise<string | null> {
  if (response.body === null) {
    return '';
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return text + decoder.decode();
    }
    size += value.byteLength;
    if (size > max) {
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Only `metadata` is read; an answer without such a list is an answer without results. */
function parse(text: string, options: RetrieveOptions): RetrieveOutcome {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return failed('malformed', 'the answer is not JSON');
  }
  const field = 'metadata' satisfies keyof RetrieveResponse;
  const found = isRecord(body) ? body[field] : undefined;
  const rows = Array.isArray(found) ? found : [];
  const results = rows.slice(0, options.limit).flatMap((row) => decodeMetadata(row) ?? []);
  return { status: 'answered', metadata: firstOfEachPage(results, options) };
}

/**
 * The platform ranks sections and knows no pages; without this one long page could fill the list. One of the places of a page is for the
 * page itself, where that was found: whoever types its name means it, and its sections have the name too.
 */
function firstOfEachPage(
  results: readonly Metadata[],
  { keep, keepPerPage }: RetrieveOptions,
): Metadata[] {
  const ofPage = new Map<string, number>();
  const toCome = new Set(results.map(({ url }) => url));
  const kept: Metadata[] = [];
  for (const result of results) {
    const [page = ''] = result.url.split('#', 1);
    toCome.delete(result.url);
    const before = ofPage.get(page) ?? 0;
    const places = toCome.has(page) ? Math.max(1, keepPerPage - 1) : keepPerPage;
    if (before < places && kept.length < keep) {
      ofPage.set(page, before + 1);
      kept.push(result);
    }
  }
  return kept;
}

const columnNames = Object.keys(OPTIONAL_COLUMNS) as (keyof typeof OPTIONAL_COLUMNS)[];

/** A row without a url leads nowhere, so it is no result. */
function decodeMetadata(row: unknown): Metadata | null {
  if (!isRecord(row)) {
    return null;
  }
  const { url } = row;
  if (typeof url !== 'string' || url === '' || url.length > MAX_FIELD) {
    return null;
  }
  const metadata: Metadata = { url };
  for (const column of columnNames) {
    const text = readText(row[column], OPTIONAL_COLUMNS[column]);
    if (text !== null) {
      metadata[column] = text;
    }
  }
  return metadata;
}

function failed(reason: RetrieveFailure, detail: string): RetrieveOutcome {
  return { status: 'failed', reason, detail };
}
