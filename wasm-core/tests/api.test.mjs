// What crosses the border of the module. Run with `node --test wasm-core/tests` after wasm-core/pkg has been built.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { SearchEngine, initSync, mapHits } from '../pkg/wasm_core.js';

const read = (name) => readFileSync(new URL(name, import.meta.url));
const index = read('../../tests/golden/index.bin');

initSync({ module: read('../pkg/wasm_core_bg.wasm') });

function withEngine(use) {
  const engine = new SearchEngine(index);
  try {
    return use(engine);
  } finally {
    engine.free();
  }
}

const slices = (text, ranges) => ranges.map(({ start, end }) => text.slice(start, end));

test('a hit of the index is a plain object with every field of the specification', () => {
  const [hit] = withEngine((engine) => engine.search('trade-off', 10, 5));
  const { score, ...rest } = hit;
  assert.ok(score > 0);
  assert.deepEqual(rest, {
    objectID: '/docs/metrics/recall#trade-off',
    url: '/docs/metrics/recall#trade-off',
    pathname: '/docs/metrics/recall',
    hash: 'trade-off',
    hierarchy: { lvl0: 'Metrics', lvl1: 'Recall' },
    content: 'Trade-off with precision',
    type: 'content',
    marks: { lvl0: [], lvl1: [], content: [{ start: 0, end: 9 }] },
  });
  assert.deepEqual(structuredClone(hit), hit);
});

test('a live answer and the index give the same hits for the same section', () => {
  const [local] = withEngine((engine) => engine.search('trade-off', 10, 5));
  const metadata = {
    item_id: '/docs/metrics/recall#trade-off',
    url: '/docs/metrics/recall#trade-off',
    folder: 'Metrics',
    header_1: 'Recall',
    header_2: 'Trade-off with precision',
    header_3: '',
    header_4: null,
    body: 'A longer list raises recall.',
  };
  assert.deepEqual(mapHits([metadata], 'trade-off', '/', 5), [{ ...local, score: null }]);
  const [hit] = mapHits([metadata], 'trade-off', 'https://docs.example.com/', 5);
  assert.equal(hit.url, 'https://docs.example.com/docs/metrics/recall#trade-off');
});

test('ranges count UTF-16 units', () => {
  const [hit] = mapHits([{ header_1: '😀 naïve é recall', header_2: '😀😀 Recall' }], 'recall', '/', 10);
  assert.deepEqual(slices(hit.hierarchy.lvl1, hit.marks.lvl1), ['recall']);
  assert.deepEqual(slices(hit.content, hit.marks.content), ['Recall']);
});

test('bytes that are no index throw an Error with a code', () => {
  const code = (bytes) => {
    try {
      new SearchEngine(bytes).free();
    } catch (error) {
      assert.ok(error instanceof Error);
      assert.notEqual(error.message, '');
      return error.code;
    }
    return 'none';
  };
  const changed = Uint8Array.from(index);
  changed[changed.length - 1] ^= 1;
  const newer = Uint8Array.from(index);
  newer[8] += 1;
  assert.equal(code(new Uint8Array()), 'index_not_an_index');
  assert.equal(code(new TextEncoder().encode('<!doctype html>')), 'index_not_an_index');
  assert.equal(code(index.subarray(0, 1000)), 'index_truncated');
  assert.equal(code(changed), 'index_checksum_mismatch');
  assert.equal(code(newer), 'index_unsupported_version');
  assert.equal(code(index), 'none');
});

test('any query is answered, and one that is too long is cut at 512 characters', () => {
  withEngine((engine) => {
    for (const query of ['', ' ', '\0', '\ud800', '😀'.repeat(1000), 'a'.repeat(1e6), '検'.repeat(1e5)]) {
      assert.ok(Array.isArray(engine.search(query, 10, 10)), query.slice(0, 20));
    }
    const filler = '? '.repeat(253);
    assert.equal(filler.length, 506);
    assert.notDeepEqual(engine.search(`${filler}recall`, 10, 10), []);
    assert.deepEqual(engine.search(`${filler}      recall`, 10, 10), []);
    assert.equal(engine.search('the', 3, 10).length, 3);
    assert.deepEqual(engine.search('the', 0, 10), []);
    assert.ok(engine.search('recall', 10, 0)[0].content.length > 0);
  });
});

test('metadata of any kind is mapped or left out', () => {
  const throwing = { get url() { throw new Error('no'); }, header_1: 'Title' };
  const revoked = Proxy.revocable([], {});
  revoked.revoke();
  const liar = new Proxy([], { get: (target, name) => (name === 'length' ? 1e9 : 'x') });
  for (const metadata of [null, undefined, 0, 'text', {}, { length: 5 }, () => {}, Symbol('s'), 10n, new Uint8Array(3), revoked.proxy]) {
    assert.deepEqual(mapHits(metadata, 'q', '/', 10), []);
  }
  const entries = [null, undefined, 7, 'text', [], {}, { item_id: {}, url: 5, header_1: [] }, throwing, revoked.proxy];
  const hits = mapHits(entries, 'title', '/', 10);
  assert.deepEqual(hits.map((hit) => hit.objectID), ['0', '1', '2', '3', '4', '5', '6', '7', '8']);
  assert.ok(hits.every((hit) => hit.url === '/' && hit.pathname === '/' && hit.hierarchy.lvl0 === 'Documentation'));
  assert.deepEqual(slices(hits[7].hierarchy.lvl1, hits[7].marks.lvl1), ['Title']);
  assert.equal(mapHits([{ item_id: 42 }], '', '/', 10)[0].objectID, '42');
  assert.equal(mapHits(new Array(1e6).fill({}), '', '/', 10).length, 100);
  assert.equal(mapHits(liar, '', '/', 10).length, 100);
});
