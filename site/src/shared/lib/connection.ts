interface NetworkInformation {
  readonly effectiveType?: string;
  readonly saveData?: boolean;
}

export type Connection = 'good' | 'poor' | 'unknown';

/**
 * Whether bytes that the reader did not ask for may be fetched. 'poor' is 2g or data saving;
 * 'unknown' is a browser that does not tell.
 */
export function connectionOf(navigator: object): Connection {
  const information = (navigator as { connection?: NetworkInformation }).connection;
  if (!information) return 'unknown';
  if (information.saveData || /2g$/.test(information.effectiveType ?? '')) return 'poor';
  return information.effectiveType === '4g' ? 'good' : 'unknown';
}
