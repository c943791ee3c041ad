// @vitest-environment node
import { expect, test } from 'vitest';
import { createSearchHandler, type SearchCore, type Step } from './searchHandler';
import type { SearchRequest } from './searchProtocol';

const READY: Step = { status: 'ready' };
const needs = (...files: string[]): Step => ({ status: 'needs', files });

/** A core that gives these steps and writes down what it was asked. */
function setUp(lexical: Step, semantic: Step | null) {
  const log: string[] = [];
  const core: SearchCore = {
    initSync() {},
    mapHits: () => [],
    SearchEngine: class {
      load(name: string, bytes: Uint8Array) {
        log.push(`load ${name} ${bytes.length}`);
      }
      search(query: string, _limit: number, _words: number, isSemantic: boolean) {
        log.push(`${isSemantic ? 'semantic' : 'lexical'} ${query}`);
        return (isSemantic ? semantic : lexical) ?? READY;
      }
      alternatives() {
        return READY;
      }
      hasVectors() {
        return semantic !== null;
      }
      keepAtMost(bytes: number) {
        log.push(bytes > 0 ? 'keep' : 'keep nothing');
      }
      free() {
        log.push('free');
      }
    },
  };
  const handle = createSearchHandler(core);
  const send = (request: SearchRequest) => {
    const reply = handle({ ...request, id: 1 });
    return reply.ok ? reply.value : reply.code;
  };
  const search = (stage: 'first' | 'refined') =>
    send({ kind: 'search', query: 'q', limit: 10, snippetWords: 10, stage });
  return { log, send, search, open: () => send({ kind: 'open', bytes: new ArrayBuffer(1) }) };
}

test('an answer with everything there is the refined one, asked for once', () => {
  const { log, search, open } = setUp(READY, READY);
  open();
  expect(search('first')).toEqual({ status: 'ready' });
  expect(log).toEqual(['semantic q', 'keep']);
});

test('without the files of the second stage the first one answers, and names them', () => {
  const { log, search, open } = setUp(READY, needs('v0'));
  open();
  expect(search('first')).toEqual({ status: 'ready', more: ['v0'] });
  expect(log).toEqual(['semantic q', 'lexical q', 'keep']);
});

test('what the words lack comes first; nothing is thrown out in the meantime', () => {
  const { log, search, open } = setUp(needs('t0'), needs('v0', 't0'));
  open();
  expect(search('first')).toEqual({ status: 'needs', files: ['t0'] });
  expect(log).not.toContain('keep');
});

test('a refined answer is not replaced by a lesser one', () => {
  const { log, search, open } = setUp(READY, needs('v0'));
  open();
  expect(search('refined')).toEqual({ status: 'needs', files: ['v0'] });
  expect(log).toEqual(['semantic q']);
});

test('an index without vectors is asked for words only, once', () => {
  const { log, search, open } = setUp(needs('t0'), null);
  open();
  expect(search('first')).toEqual({ status: 'needs', files: ['t0'] });
  expect(log).toEqual(['lexical q']);
});

test('a new index takes the place of the old one', () => {
  const { log, open, send } = setUp(READY, READY);
  open();
  open();
  send({ kind: 'load', name: 't0', bytes: new ArrayBuffer(3) });
  expect(log).toEqual(['free', 'load t0 3']);
});

test('before there is an index nothing can be searched', () => {
  const { search } = setUp(READY, READY);
  expect(search('first')).toBe('no_index');
});
