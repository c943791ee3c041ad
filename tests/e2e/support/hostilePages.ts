/** Pages made of hostile Markdown by the indexer itself, as `cargo xtask build --content` makes them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from './environment.js';
import { markdownPieces, VECTORS } from './injection.js';

const PIECES_PER_PAGE = 52;
const MOST_ROUNDS = 6;

/** The data of a page as the indexer writes it. */
export interface IndexedPage {
  readonly path: string;
  readonly title: string;
  readonly description: string | null;
  readonly section: { id: string; title: string };
  readonly html: string;
  readonly toc: unknown[];
}

export interface HostilePages {
  readonly pages: readonly IndexedPage[];
  readonly pieces: number;
  /** What the indexer would not take, as its messages. */
  readonly refused: readonly string[];
}

/** Builds the pages; what the indexer refuses is taken out, as an author would have to. */
export function hostilePages(): HostilePages {
  const folder = mkdtempSync(join(tmpdir(), 'siftwren-hostile-'));
  try {
    const all = markdownPieces();
    const refused: string[] = [];
    let kept = all.map((text, index) => ({ text, page: Math.floor(index / PIECES_PER_PAGE) }));
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const places = writePages(join(folder, 'content'), kept);
      const { status, stderr, stdout } = spawnSync(
        environment.SIFTWREN_TEST_INDEXER,
        ['build', '--content', join(folder, 'content'), '--out', join(folder, 'pages')],
        { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
      );
      const said = stdout + stderr;
      if (status === 0) return { pages: readPages(folder), pieces: all.length, refused };
      const problems = [...said.matchAll(/p(\d+)\.md:(\d+):\d+: (?!warning)(.*)/g)];
      if (status !== 1 || problems.length === 0) {
        throw new Error(`the indexer ended with ${status}: ${said.slice(-2_000)}`);
      }
      const bad = new Set<number>();
      for (const [, page = '', line = '', message = ''] of problems) {
        refused.push(message);
        const place = places.findLast(
          (one) => one.page === Number(page) && one.line <= Number(line),
        );
        if (place) bad.add(place.index);
      }
      if (bad.size === 0) throw new Error(`nothing to take out: ${said.slice(-2_000)}`);
      kept = kept.filter((_, index) => !bad.has(index));
    }
    throw new Error('the indexer still finds problems');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Piece {
  readonly text: string;
  readonly page: number;
}

/** Writes the pages and returns where each piece begins. */
function writePages(folder: string, pieces: readonly Piece[]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const texts = new Map<number, string>();
  const places = pieces.map(({ text, page }, index) => {
    const before = texts.get(page) ?? `# ${titleOf(page)}\n\n`;
    texts.set(page, `${before}${text}\n\n`);
    return { index, page, line: before.split('\n').length };
  });
  for (const [page, text] of texts) writeFileSync(join(folder, `p${page}.md`), text);
  return places;
}

function titleOf(page: number): string {
  const vector = VECTORS[page % VECTORS.length] ?? '';
  // In code, because markup of a title is left out of it.
  return `Page ${page} \`\` ${vector.replace(/[\r\n]+/g, ' ')} \`\``;
}

function readPages(folder: string): IndexedPage[] {
  const read = (file: string): unknown =>
    JSON.parse(readFileSync(join(folder, 'pages', file), 'utf8'));
  const manifest = read('manifest.json') as { pages: { data: string }[] };
  return manifest.pages.map(({ data }) => read(data) as IndexedPage);
}
