// @vitest-environment node
import { expect, test } from 'vitest';
import { EngineError } from './engineError';
import { createSearchFiles } from './searchFiles';

function setUp(keepBytes: number) {
  const fetched: string[] = [];
  const files = createSearchFiles({
    loadTimeoutMs: 1_000,
    keepBytes,
    mustKeep: (url) => url === '/core',
    fetch: async (input, init) => {
      fetched.push(init?.cache === 'reload' ? `${input} anew` : String(input));
      return new Response(new Uint8Array(10));
    },
  });
  const get = (url: string) => files.use(url, async (bytes) => bytes.byteLength);
  return { fetched, files, get };
}

test('a file is fetched once, also by two at the same time', async () => {
  const { fetched, get } = setUp(100);
  expect(await Promise.all([get('/a'), get('/a')])).toEqual([10, 10]);
  await get('/a');
  expect(fetched).toEqual(['/a']);
});

test('the bytes that are kept are bounded; the longest unused go first, never the core', async () => {
  const { fetched, get } = setUp(30);
  for (const url of ['/core', '/a', '/b', '/a', '/c', '/core', '/a', '/c', '/b']) {
    await get(url);
  }
  expect(fetched).toEqual(['/core', '/a', '/b', '/c', '/b']);
});

test('a crash is no reason to fetch anew', async () => {
  const { fetched, files } = setUp(100);
  const crash = () => Promise.reject(new EngineError('crashed', 'trap'));
  await expect(files.use('/a', crash)).rejects.toThrow('trap');
  expect(fetched).toEqual(['/a']);
});

test('a file given up after its time is not waited for a second time', async () => {
  let attempts = 0;
  const files = createSearchFiles({
    loadTimeoutMs: 20,
    keepBytes: 100,
    mustKeep: () => false,
    fetch: (_, init) => {
      attempts += 1;
      init?.signal?.throwIfAborted();
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    },
  });
  const started = performance.now();
  await expect(files.use('/slow', async () => {})).rejects.toMatchObject({ reason: 'unreachable' });
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(attempts).toBe(2);
});
