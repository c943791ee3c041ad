// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRetrieveClient, type RetrieveOptions } from './retrieveClient';

const LIMIT = 10;
const TIMEOUT_MS = 2_000;
const COOLDOWN_MS = 120_000;

let now = 0;
let calls: Request[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  calls = [];
});
afterEach(() => {
  vi.useRealTimers();
});

type Answer = (request: Request) => Promise<Response> | Response;

function clientFor(answer: Answer, options: Partial<RetrieveOptions> = {}) {
  return createRetrieveClient({
    apiUrl: 'http://api.test/v1',
    model: 'docs_search',
    key: 'k'.repeat(40),
    limit: LIMIT,
    keep: LIMIT,
    keepPerPage: LIMIT,
    timeoutMs: TIMEOUT_MS,
    cooldownMs: COOLDOWN_MS,
    now: () => now,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      calls.push(request);
      return answer(request);
    },
    ...options,
  });
}

function retrieve(answer: Answer, signal = new AbortController().signal) {
  return clientFor(answer).retrieve('ndcg', signal);
}

function json(body: unknown): Response {
  return new Response(JSON.stringify(body));
}

/** A fetch that never answers and ends with its signal, as the browser's does. */
function silence(request: Request): Promise<Response> {
  return new Promise((_, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason));
  });
}

const row = { item_id: '/docs/a#b', url: '/docs/a#b', folder: 'Metrics', header_1: 'A' };

describe('the request', () => {
  test('is the one of the specification', async () => {
    await retrieve(() => json({ metadata: [] }));
    const [request] = calls;
    expect(request?.method).toBe('POST');
    expect(request?.url).toBe('http://api.test/v1/models/docs_search/retrieve');
    expect(request?.headers.get('x-api-key')).toBe('k'.repeat(40));
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(await request?.json()).toEqual({
      text_query: 'ndcg',
      return_metadata: true,
      config: { limit: LIMIT },
    });
  });

  test('does not follow redirects, which would carry the key away', async () => {
    await retrieve(() => json({ metadata: [] }));
    expect(calls[0]?.redirect).toBe('manual');
  });

  test('takes an API address with a slash at its end, and a model with any name', async () => {
    const client = clientFor(() => json({}), { apiUrl: 'http://api.test/v1/', model: 'a/b' });
    await client.retrieve('q', new AbortController().signal);
    expect(calls[0]?.url).toBe('http://api.test/v1/models/a%2Fb/retrieve');
  });
});

test('one page gives only its best sections, and later pages take the places', async () => {
  const urls = ['/a#1', '/a', '/b#1', '/a#3', '/c', '/d#1', '/e'];
  const client = clientFor(() => json({ metadata: urls.map((url) => ({ url })) }), {
    keep: 5,
    keepPerPage: 2,
  });
  const outcome = await client.retrieve('ndcg', new AbortController().signal);
  expect(outcome).toEqual({
    status: 'answered',
    metadata: ['/a#1', '/a', '/b#1', '/c', '/d#1'].map((url) => ({ url })),
  });
});

test('one of the places of a page is for the page itself, where it was found', async () => {
  const shown = async (urls: string[], keepPerPage: number) => {
    const client = clientFor(() => json({ metadata: urls.map((url) => ({ url })) }), {
      keep: 5,
      keepPerPage,
    });
    const outcome = await client.retrieve('ndcg', new AbortController().signal);
    return outcome.status === 'answered' ? outcome.metadata.map(({ url }) => url) : [];
  };
  const urls = ['/a#1', '/a#2', '/b#1', '/a#3', '/b#2', '/a#4', '/a', '/a#5'];
  expect(await shown(urls, 3)).toEqual(['/a#1', '/a#2', '/b#1', '/b#2', '/a']);
  expect(await shown(urls, 1)).toEqual(['/a#1', '/b#1']);
  expect(await shown(['/a', '/a#1', '/a#2', '/a#3'], 3)).toEqual(['/a', '/a#1', '/a#2']);
});

describe('answers', () => {
  test('metadata rows come back with their text columns', async () => {
    const outcome = await retrieve(() => json({ ids: ['x'], metadata: [row] }));
    expect(outcome).toEqual({ status: 'answered', metadata: [row] });
  });

  test.each([
    ['no metadata', {}],
    ['metadata null', { metadata: null }],
    ['metadata an object', { metadata: { 0: row } }],
    ['metadata a text', { metadata: 'rows' }],
    ['a list', [row]],
    ['null', null],
    ['a number', 7],
  ])('%s is an answer without results', async (_, body) => {
    expect(await retrieve(() => json(body))).toEqual({ status: 'answered', metadata: [] });
  });

  test('rows of wrong types are left out, columns of wrong types are absent', async () => {
    const outcome = await retrieve(() =>
      json({
        metadata: [null, 7, 'x', [], {}, { url: 5 }, { url: '' }, { ...row, folder: { a: 1 } }],
      }),
    );
    expect(outcome).toEqual({
      status: 'answered',
      metadata: [{ item_id: row.item_id, url: row.url, header_1: 'A' }],
    });
  });

  test('of a million rows only the asked ones are looked at', async () => {
    const body = `{"metadata":[${'{"url":"/a"},'.repeat(200_000)}{"url":"/z"}]}`;
    const outcome = await retrieve(() => new Response(body));
    expect(outcome.status === 'answered' && outcome.metadata).toHaveLength(LIMIT);
  });

  test('columns are cut to a size that cannot hurt the page, a url that long is no url', async () => {
    const long = 'x'.repeat(1_000_000);
    const outcome = await retrieve(() =>
      json({ metadata: [{ ...row, header_1: long, body: long }, { url: `/${long}` }] }),
    );
    const [kept, ...others] = outcome.status === 'answered' ? outcome.metadata : [];
    expect(kept?.header_1).toHaveLength(2_000);
    expect(kept?.body).toHaveLength(50_000);
    expect(others).toEqual([]);
  });
});

describe('failures', () => {
  test.each([301, 401, 404, 422, 429, 500, 503])('status %i', async (status) => {
    const outcome = await retrieve(() => new Response('{"metadata":[]}', { status }));
    expect(outcome).toMatchObject({ status: 'failed', reason: 'http' });
  });

  test.each([
    ['HTML', '<!doctype html><title>Captive portal</title>'],
    ['half of a JSON text', '{"metadata":[{"url":'],
    ['nothing', ''],
  ])('%s instead of JSON', async (_, body) => {
    expect(await retrieve(() => new Response(body))).toMatchObject({
      status: 'failed',
      reason: 'malformed',
    });
  });

  test('a body without end is not read to its end', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
      },
    });
    expect(await retrieve(() => new Response(endless))).toMatchObject({
      status: 'failed',
      reason: 'malformed',
    });
    expect(sent).toBeLessThan(8);
  });

  test('a refused connection', async () => {
    const outcome = await retrieve(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(outcome).toEqual({
      status: 'failed',
      reason: 'unreachable',
      detail: 'Failed to fetch',
    });
  });

  test('a connection that breaks within the body', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"metadata":['));
        controller.error(new TypeError('network error'));
      },
    });
    expect(await retrieve(() => new Response(broken))).toMatchObject({
      status: 'failed',
      reason: 'unreachable',
    });
  });

  test('no answer in time', async () => {
    const outcome = retrieve(silence);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await outcome).toMatchObject({ status: 'failed', reason: 'timeout' });
  });

  test('a call that its caller ends is cancelled, not failed', async () => {
    const abort = new AbortController();
    const outcome = retrieve(silence, abort.signal);
    await vi.advanceTimersByTimeAsync(10);
    abort.abort();
    expect(await outcome).toEqual({ status: 'cancelled' });
  });

  test('a call that was ended before it began asks nobody', async () => {
    expect(await retrieve(() => json({}), AbortSignal.abort())).toEqual({ status: 'cancelled' });
    expect(calls).toHaveLength(0);
  });
});

describe('a host that was not reached', () => {
  const signal = new AbortController().signal;
  const refuse = () => Promise.reject(new TypeError('Failed to fetch'));

  test('rests for two minutes and is then asked again', async () => {
    const client = clientFor(refuse);
    await client.retrieve('a', signal);
    now = COOLDOWN_MS - 1;
    expect(await client.retrieve('b', signal)).toMatchObject({ reason: 'resting' });
    expect(calls).toHaveLength(1);
    now = COOLDOWN_MS;
    expect(await client.retrieve('c', signal)).toMatchObject({ reason: 'unreachable' });
    expect(calls).toHaveLength(2);
  });

  test('is asked again at once when told so', async () => {
    const client = clientFor(refuse);
    await client.retrieve('a', signal);
    client.forgetFailures();
    await client.retrieve('b', signal);
    expect(calls).toHaveLength(2);
  });

  test('also rests after it was silent for too long', async () => {
    const client = clientFor(silence);
    const first = client.retrieve('a', signal);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    await first;
    expect(await client.retrieve('b', signal)).toMatchObject({ reason: 'resting' });
  });

  test.each([
    ['an error status', () => new Response('', { status: 500 })],
    ['an answer that is no JSON', () => new Response('<html>')],
  ])('is not what %s means', async (_, answer) => {
    const client = clientFor(answer);
    await client.retrieve('a', signal);
    await client.retrieve('b', signal);
    expect(calls).toHaveLength(2);
  });
});
