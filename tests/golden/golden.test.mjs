// Run with `node --test tests/golden` after wasm-core/pkg has been built.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as engine from '../../wasm-core/pkg/wasm_core.js';
import { check } from './golden.mjs';

const read = (name) => readFileSync(new URL(name, import.meta.url));
const readJson = (name) => JSON.parse(read(name).toString('utf8'));

engine.initSync({ module: read('../../wasm-core/pkg/wasm_core_bg.wasm') });

test('WebAssembly gives the golden hits and the golden score bits', () => {
  const differences = check(engine, read('index.bin'), readJson('queries.json'), readJson('expected.json'));
  assert.deepEqual(differences, []);
});

test('the check sees a score that differs in its last bit', () => {
  const expected = readJson('expected.json');
  const hit = expected.find(({ hits }) => hits.length > 0).hits[0];
  hit.score = (BigInt(`0x${hit.score}`) ^ 1n).toString(16).padStart(16, '0');
  assert.equal(check(engine, read('index.bin'), readJson('queries.json'), expected).length, 1);
});
