/** What pages and service workers say to each other. */

const CLIENT_MESSAGES = [
  /** The reader agrees to the new version. */
  'siftwren:accept',
  /** The reader has, and the new version hears of it next: what the one in use stores is of no use any more. */
  'siftwren:stop',
  /** There is time to store the whole site. */
  'siftwren:store',
  /** What is stored? */
  'siftwren:state',
] as const;

export type ClientMessage = (typeof CLIENT_MESSAGES)[number];

export function isClientMessage(value: unknown): value is ClientMessage {
  return CLIENT_MESSAGES.some((message) => message === value);
}

/** The whole site is stored; of a large one, what is visited; there is no room for it. */
const STORED_STATES = ['nothing', 'storing', 'stored', 'visited', 'full'] as const;

export type StoredState = (typeof STORED_STATES)[number];

/** Null for messages of others. */
export function storedState(data: unknown): StoredState | null {
  if (typeof data !== 'object' || data === null || !('siftwrenStored' in data)) return null;
  return STORED_STATES.find((state) => state === data.siftwrenStored) ?? null;
}
