// Whether a WebAssembly engine ranks as the native one does, to the bit of every score.
// It needs no file and no test runner, so that a page in a browser can call it as well as Node.

/**
 * @param {{ SearchEngine: new (index: Uint8Array) => any }} engineModule the initialized wasm-core module
 * @param {Uint8Array} indexBytes the golden index
 * @param {string[]} queries
 * @param {{ query: string, hits: { url: string, score: string }[] }[]} expected what the native engine found
 * @returns {string[]} one sentence for each query that differs
 */
export function check(engineModule, indexBytes, queries, expected) {
  const engine = new engineModule.SearchEngine(indexBytes);
  try {
    const differences = [];
    if (expected.length !== queries.length) {
      differences.push(`${queries.length} queries, but ${expected.length} expected answers`);
    }
    queries.forEach((query, number) => {
      const found = engine.search(query, 10, 10).map((hit) => `${hit.url} ${bits(hit.score)}`);
      const wanted = (expected[number]?.hits ?? []).map((hit) => `${hit.url} ${hit.score}`);
      if (expected[number]?.query !== query || found.join('\n') !== wanted.join('\n')) {
        differences.push(`${JSON.stringify(query)}: found [${found.join(', ')}], wanted [${wanted.join(', ')}]`);
      }
    });
    return differences;
  } finally {
    engine.free();
  }
}

/** The 64 bits of a number as 16 hexadecimal digits. */
function bits(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}
