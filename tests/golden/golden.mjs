// Whether a WebAssembly engine ranks as the native one does, to the bit of every score.
// It needs no file and no test runner, so that a page in a browser can call it as well as Node.

/** A question waits for terms, then words, then more terms, then vectors, then names: more rounds than this are a circle. */
const MOST_ROUNDS = 8;

/**
 * @param {{ SearchEngine: new (core: Uint8Array) => any }} engineModule the initialized wasm-core module
 * @param {string[]} files the names of the golden index's files, the core first
 * @param {(name: string) => Uint8Array | Promise<Uint8Array>} read the bytes of one of them
 * @param {string[]} queries
 * @param {{ query: string, hits: Hit[], semantic: Hit[] }[]} expected what the native engine found, by words alone and with vectors
 * @returns {Promise<string[]>} one sentence for each query that differs
 *
 * @typedef {{ url: string, score: string }} Hit
 */
export async function check(engineModule, files, read, queries, expected) {
  const engine = new engineModule.SearchEngine(await read(files[0]));
  try {
    const differences = [];
    if (expected.length !== queries.length) {
      differences.push(`${queries.length} queries, but ${expected.length} expected answers`);
    }
    for (const [number, query] of queries.entries()) {
      const wanted = expected[number];
      for (const stage of ['hits', 'semantic']) {
        const answer = await search(engine, read, query, stage === 'semantic');
        const found = answer.map((hit) => `${hit.url} ${bits(hit.score)}`).join(', ');
        const right = (wanted?.[stage] ?? []).map((hit) => `${hit.url} ${hit.score}`).join(', ');
        if (wanted?.query !== query || found !== right) {
          differences.push(`${JSON.stringify(query)}, ${stage}: found [${found}], wanted [${right}]`);
        }
      }
    }
    return differences;
  } finally {
    engine.free();
  }
}

/** The hits of a query; loads the files that it needs. */
async function search(engine, read, query, semantic) {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = engine.search(query, 10, 10, semantic);
    if (found.status === 'ready') return found.hits;
    for (const name of found.files) engine.load(name, await read(name));
  }
  throw new Error(`${JSON.stringify(query)} needs more and more files`);
}

/** The 64 bits of a number as 16 hexadecimal digits. */
function bits(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}
