import { afterEach, expect, test, vi } from 'vitest';
import { type ApiRequest, sendRequest } from './apiClient';

const REQUEST: ApiRequest = {
  method: 'GET',
  url: 'https://api.example/v1/items',
  headers: { 'x-api-key': 'k' },
  body: null,
};

let timeout: AbortController;

function answerWith(answer: (init: RequestInit) => Promise<Partial<Response>>): RequestInit[] {
  const asked: RequestInit[] = [];
  timeout = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    asked.push(init);
    return answer(init);
  });
  return asked;
}

/** An answer whose body begins, and goes on as this says. */
function begun(goOn: (stream: ReadableStreamDefaultController<Uint8Array>) => void): Response {
  const bytes = new TextEncoder().encode('{"items": [');
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(bytes),
    pull: goOn,
  });
  return new Response(body, { status: 201 });
}

function send(signal = new AbortController().signal) {
  return sendRequest(REQUEST, signal).catch((error: Error) => `${error.name}: ${error.message}`);
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('an answer, and what it was asked with', async () => {
  const asked = answerWith(async () => begun((stream) => stream.close()));
  expect(await send()).toMatchObject({ status: 201, body: '{"items": [', bytes: 11, isCut: false });
  expect(asked).toMatchObject([{ credentials: 'omit', redirect: 'manual', cache: 'no-store' }]);
});

test('a server that does not answer may not be there, or not allow it', async () => {
  answerWith(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(await send()).toBe(
    `ApiRequestError: No answer from https://api.example. Is the server running, and does it allow requests from ${location.origin}?`,
  );
});

test('an answer that breaks off is one that came', async () => {
  answerWith(async () => begun((stream) => stream.error(new TypeError('network error'))));
  expect(await send()).toBe(
    'ApiRequestError: https://api.example answered with status 201, but the answer broke off.',
  );
});

test('a redirect is not followed, and said to be one', async () => {
  answerWith(async () => ({ type: 'opaqueredirect', status: 0, body: null }));
  expect(await send()).toMatch(/^ApiRequestError: https:\/\/api.example redirects to another/);
});

test('an answer that does not come in time, whole or at all', async () => {
  answerWith(async () => {
    timeout.abort();
    throw timeout.signal.reason;
  });
  expect(await send()).toBe('ApiRequestError: No answer within 60 seconds.');
  answerWith(async () =>
    begun((stream) => {
      timeout.abort();
      stream.error(timeout.signal.reason);
    }),
  );
  expect(await send()).toBe(
    'ApiRequestError: https://api.example answered with status 201, but not to the end within 60 seconds.',
  );
});

test('who cancels is told so, at any time', async () => {
  const cancel = new AbortController();
  answerWith(async () =>
    begun((stream) => {
      cancel.abort();
      stream.error(cancel.signal.reason);
    }),
  );
  expect(await send(cancel.signal)).toBe('ApiRequestError: Cancelled.');
});
