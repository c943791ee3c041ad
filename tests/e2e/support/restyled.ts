/** How much of a page a browser computes again. */
import type { Page } from '@playwright/test';

/** What a browser tells of its work. */
type TraceEvent = Record<string, unknown> & { args?: { elementCount?: number } };

/** The number of elements whose style was computed while `act` went on, each as often as it was. */
export async function restyledElements(page: Page, act: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as TraceEvent[])));
  const isComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', { categories: 'devtools.timeline' });
  await act();
  await session.send('Tracing.end');
  await isComplete;
  await session.detach();
  const counts = events.filter(({ name }) => name === 'UpdateLayoutTree');
  if (counts.length === 0) throw new Error('the browser did not tell what it computed');
  return counts.reduce((sum, { args }) => sum + (args?.elementCount ?? 0), 0);
}
