/** The files of the new site: what is taken over from the last build, and what is written. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The files of the new site, by their names below its folder; see `tools/earlierBuild.mjs` and `tools/standingSite.mjs`. */
export interface Files {
  /** Takes over files that were made from the same as now, all or none; the answer is whether it did. */
  take(files: string[], key: string): boolean;
  /** Where to write one that is made. */
  place(file: string): string;
  /** Makes it of a file that is there. */
  bring(source: string, file: string): void;
}

interface OutputOptions {
  files: Files;
  /** The indexer's output. */
  pages: string;
  /** Of what a file holds that the indexer's manifest has no digest of. */
  digestOf?: (file: string) => string;
}

/**
 * Writes what is not taken over. Synchronously: a file of some kilobytes costs several times as much by way of Node's thread
 * pool, and nothing else waits here.
 */
export class Output {
  readonly #files: Files;
  readonly #pages: string;
  readonly digestOf: (file: string) => string;
  readonly #asked = new Set<string>();

  constructor({ files, pages, digestOf }: OutputOptions) {
    this.#files = files;
    this.#pages = pages;
    this.digestOf = digestOf ?? ((file) => digest(readFileSync(file)));
  }

  take(files: string[], key: string): boolean {
    const areTaken = this.#files.take(files, key);
    if (!areTaken) for (const file of files) this.#asked.add(file);
    return areTaken;
  }

  async write(file: string, content: string | Uint8Array): Promise<void> {
    // What was asked for under a key of its own has to be made.
    if (!this.#asked.has(file) && this.take([file], digest(content))) return;
    writeFileSync(this.#files.place(file), content);
  }

  /** Of a file of the indexer's output; `key` stands for the content. */
  copy(source: string, file: string, key: string): void {
    if (!this.take([file], key)) this.copyNew(join(this.#pages, source), file);
  }

  copyNew(source: string, file: string): void {
    this.#files.bring(source, file);
  }

  /** Writes under a name that carries a hash of the content, and returns that name. */
  async hashed(stem: string, extension: string, content: string): Promise<string> {
    const file = `${stem}-${digest(content)}.${extension}`;
    if (!this.take([file], file)) await this.write(file, content);
    return file;
  }
}

/** The files in a folder of the indexer's output, which need not be there, by their names in that. */
export function filesOf(pages: string, folder: string): string[] {
  const path = join(pages, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(pages, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** The name of a file in the folder of a path. */
export function fileBelow(path: string, name: string): string {
  return path.slice(1) + name;
}

/** What a content is known by. */
export function digest(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 10);
}
