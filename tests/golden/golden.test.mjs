// Run with `node --test tests/golden` after wasm-core/pkg has been built.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as engine from '../../wasm-core/pkg/wasm_core.js';
import { check } from './golden.mjs';

const read = (name) => readFileSync(new URL(name, import.meta.url));
const readJson = (name) => JSON.parse(read(name).toString('utf8'));
const readIndex = (name) => read(`index/${name}`);

engine.initSync({ module: read('../../wasm-core/pkg/wasm_core_bg.wasm') });

const files = readJson('index/files.json');
const queries = readJson('queries.json');

test('WebAssembly gives the golden hits and the golden score bits', async () => {
  const differences = await check(engine, files, readIndex, queries, readJson('expected.json'));
  assert.deepEqual(differences, []);
});

test('the check sees a score that differs in its last bit, with vectors and without', async () => {
  const expected = readJson('expected.json');
  const found = expected.find(({ hits }) => hits.length > 0);
  for (const hit of [found.hits[0], found.semantic[0]]) {
    hit.score = (BigInt(`0x${hit.score}`) ^ 1n).toString(16).padStart(16, '0');
  }
  assert.equal((await check(engine, files, readIndex, queries, expected)).length, 2);
});
