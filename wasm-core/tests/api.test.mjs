// What crosses the border of the module. Run with `node --test wasm-core/tests` after wasm-core/pkg has been built.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { SearchEngine, initSync, mapHits } from '../pkg/wasm_core.js';

const read = (name) => readFileSync(new URL(name, import.meta.url));
const files = JSON.parse(read('../../tests/golden/index/files.json').toString('utf8'));
const bytesOf = (name) => Uint8Array.from(read(`../../tests/golden/index/${name}`));
const core = bytesOf(files[0]);

initSync({ module: read('../pkg/wasm_core_bg.wasm') });

function withEngine(use) {
  const engine = new SearchEngine(core);
  try {
    return use(engine);
  } finally {
    engine.free();
  }
}

/** Asks until nothing is missing any more. */
function ask(engine, question) {
  for (let round = 0; round < 8; round += 1) {
    const answer = question();
    if (answer.status === 'ready') return answer;
    assert.equal(answer.status, 'needs');
    assert.ok(answer.files.length > 0);
    for (const name of answer.files) engine.load(name, bytesOf(name));
  }
  throw new Error('a question that does not end');
}

const search = (engine, query, limit, words, semantic = false) =>
  ask(engine, () => engine.search(query, limit, words, semantic)).hits;

const slices = (text, ranges) => ranges.map(({ start, end }) => text.slice(start, end));

test('a hit of the index is a plain object with every field of the specification', () => {
  const [hit] = withEngine((engine) => search(engine, 'trade-off', 10, 5));
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
  const [local] = withEngine((engine) => search(engine, 'trade-off', 10, 5));
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
  const changed = Uint8Array.from(core);
  changed[changed.length - 1] ^= 1;
  const newer = Uint8Array.from(core);
  newer[8] += 1;
  assert.equal(code(new Uint8Array()), 'index_not_an_index');
  assert.equal(code(new TextEncoder().encode('<!doctype html>')), 'index_not_an_index');
  assert.equal(code(core.subarray(0, 200)), 'index_truncated');
  assert.equal(code(changed), 'index_checksum_mismatch');
  assert.equal(code(newer), 'index_unsupported_version');
  assert.equal(code(core), 'none');
});

test('any query is answered, and one that is too long is cut at 512 characters', () => {
  withEngine((engine) => {
    for (const query of ['', ' ', '\0', '\ud800', '😀'.repeat(1000), 'a'.repeat(1e6), '検'.repeat(1e5)]) {
      assert.ok(Array.isArray(search(engine, query, 10, 10)), query.slice(0, 20));
    }
    const filler = '? '.repeat(253);
    assert.equal(filler.length, 506);
    assert.notDeepEqual(search(engine, `${filler}recall`, 10, 10), []);
    assert.deepEqual(search(engine, `${filler}      recall`, 10, 10), []);
    assert.equal(search(engine, 'the', 3, 10).length, 3);
    assert.deepEqual(search(engine, 'the', 0, 10), []);
    assert.ok(search(engine, 'recall', 10, 0)[0].content.length > 0);
  });
});

test('files are loaded as they are needed, in any order, and forgotten when there are too many', () => {
  withEngine((engine) => {
    assert.equal(engine.search('recall', 10, 10, false).status, 'needs');
    const first = search(engine, 'recall', 10, 10);
    assert.equal(engine.search('recall', 10, 10, false).status, 'ready');
    engine.keepAtMost(0);
    assert.equal(engine.search('recall', 10, 10, false).status, 'needs');
    const entry = files.find((name) => name.startsWith('s0.'));
    for (const name of [entry, ...files.slice(1).reverse(), ...files.slice(1)]) engine.load(name, bytesOf(name));
    assert.deepEqual(engine.search('recall', 10, 10, false), { status: 'ready', hits: first, corrected: false });
    assert.equal(engine.search('recall', 10, 10, true).status, 'ready');
    engine.keepAtMost(1e9);
    assert.equal(engine.search('recall', 10, 10, true).status, 'ready');
  });
});

test('vectors are a second stage', () => {
  withEngine((engine) => {
    assert.equal(engine.hasVectors(), true);
    const lexical = search(engine, 'a list that is longer', 10, 10, false);
    const semantic = search(engine, 'a list that is longer', 10, 10, true);
    assert.notDeepEqual(lexical.map((hit) => hit.url), semantic.map((hit) => hit.url));
    assert.deepEqual(search(engine, 'a list that is longer', 10, 10, false), lexical);
  });
});

test('a misspelt word is corrected, marked, and said to be so', () => {
  withEngine((engine) => {
    const found = ask(engine, () => engine.search('presicion ', 10, 10, false));
    assert.equal(found.corrected, true);
    const [hit] = found.hits;
    assert.deepEqual(slices(hit.hierarchy.lvl1, hit.marks.lvl1), ['Precision']);
  });
});

test('what found nothing leads to something else', () => {
  withEngine((engine) => {
    assert.deepEqual(search(engine, 'recalibrationist ', 10, 10), []);
    const words = ask(engine, () => engine.alternatives('recalibrationist ', true));
    assert.ok(words.queries.includes('recall'), JSON.stringify(words));
    assert.deepEqual(ask(engine, () => engine.alternatives('recall', false)).pages, []);
    const near = ask(engine, () => engine.alternatives('recall', true));
    assert.ok(near.pages.some(({ pathname, title }) => pathname === '/docs/metrics/recall' && title === 'Recall'));
    assert.deepEqual(structuredClone(near), near);
  });
});

test('every truncation and every changed bit of every file throws an Error with a code, and the engine works on', () => {
  withEngine((engine) => {
    const entry = files.find((name) => name.startsWith('s0.'));
    engine.load(entry, bytesOf(entry));
    const fails = (action, codes) => {
      try {
        action();
      } catch (error) {
        assert.ok(error instanceof Error && !(error instanceof WebAssembly.RuntimeError), String(error));
        assert.ok(codes.includes(error.code), error.code);
        return;
      }
      assert.fail('damaged bytes were taken');
    };
    const opens = (bytes) => () => new SearchEngine(bytes).free();
    for (const name of files) {
      const bytes = bytesOf(name);
      const use = name === files[0] ? opens : (damaged) => () => engine.load(name, damaged);
      const codes =
        name === files[0]
          ? ['index_not_an_index', 'index_unsupported_version', 'index_analyzer_mismatch', 'index_truncated', 'index_checksum_mismatch']
          : ['index_checksum_mismatch'];
      for (let length = 0; length < bytes.length; length += 1) fails(use(bytes.subarray(0, length)), codes);
      for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
        bytes[bit >> 3] ^= 1 << (bit & 7);
        fails(use(bytes), codes);
        bytes[bit >> 3] ^= 1 << (bit & 7);
      }
      fails(() => engine.load(name.replace('.', '9.'), bytes), ['index_unknown_file']);
    }
    assert.ok(search(engine, 'recall', 10, 10).length > 0);
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
