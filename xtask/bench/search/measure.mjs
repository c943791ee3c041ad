// Sizes and times, the same for every system.
import { brotliCompressSync, constants } from 'node:zlib';

/** Above this, quality 9: quality 11 takes minutes for what nobody would send anyway. */
const LARGE = 16_000_000;

/** Size as a CDN sends it. */
export function brotli(data) {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  const quality = bytes.length > LARGE ? 9 : 11;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 22 };
  return brotliCompressSync(bytes, { params }).length;
}

export function percentiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { mean: Math.round(mean), p50: at(0.5), p95: at(0.95), max: at(1), count: sorted.length };
}

/** CPU time of each query in µs, in rounds until `seconds` are over. V8 compiles while the first round runs: it does not count. */
export async function timed(queries, search, seconds) {
  const end = performance.now() + seconds * 1000;
  const times = [];
  for (let round = 0; round < 2 || (round < 200 && performance.now() < end); round += 1) {
    for (const { query } of queries) {
      const before = process.cpuUsage();
      await search(query);
      const used = process.cpuUsage(before);
      if (round > 0) times.push(used.user + used.system);
    }
  }
  return times;
}
