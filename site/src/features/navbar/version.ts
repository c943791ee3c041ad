/** The version of the docs that the reader chose last, for each plugin that has versions. */
import { writeStored } from '../../shared/lib/storage';

const versionKey = (plugin: string) => `siftwren.version.${plugin}`;

/** `link` is an entry of the version list. */
export function rememberVersion({ dataset }: HTMLElement): void {
  writeStored(versionKey(dataset.plugin ?? ''), dataset.version ?? '');
}
