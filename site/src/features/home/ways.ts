/** The four ways into siftwren's own docs: where each leads, and what it says. */
import type { Way } from '../../shared/content/model';

interface WayText {
  title: string;
  text: string;
}

export const WAY_TEXTS: Record<Way['id'], WayText> = {
  start: {
    title: 'Start',
    text: 'From an empty machine to a first ranked answer, on a laptop.',
  },
  data: {
    title: 'Bring data',
    text: 'Create a dataset, insert rows, and see what the server accepts.',
  },
  models: {
    title: 'Understand models',
    text: 'Retrieve, filter, score, reorder: how a query becomes a ranking.',
  },
  quality: {
    title: 'Measure quality',
    text: 'nDCG, recall, coverage: what each number says, and what it hides.',
  },
};

/** Relative to the docs' root. */
const TARGETS: Record<Way['id'], string> = {
  start: '/overview/quickstart',
  data: '/connectors/custom',
  models: '/overview/how-it-works',
  quality: '/metrics/overview',
};

/**
 * The ways whose page exists, all four or none: the picture of the whole is right only when it is
 * complete, and docs about something else get the plain entrance.
 */
export function waysInto(paths: ReadonlySet<string>, prefix: string): Way[] {
  const ways = (Object.keys(TARGETS) as Way['id'][]).map((id) => ({
    id,
    path: prefix + TARGETS[id],
  }));
  return ways.every(({ path }) => paths.has(path)) ? ways : [];
}
