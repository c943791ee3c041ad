import { beforeEach, expect, test, vi } from 'vitest';
import { reportPageViews } from './pageViews';

const EVENT = 'test:page';

function setUp(privacy: Partial<Record<'doNotTrack' | 'globalPrivacyControl', unknown>> = {}) {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const sent: { url: string; paths: string[] }[] = [];
  const sendBeacon = vi.fn((url: string, body: string) => {
    const { events } = JSON.parse(body) as {
      events: { event: string; path: string; time: number }[];
    };
    for (const { event, time } of events) expect([event, time]).toEqual(['page_view', Date.now()]);
    sent.push({ url, paths: events.map(({ path }) => path) });
    return true;
  });
  const location = { pathname: '/docs/first' };
  const window = Object.assign(new EventTarget(), {
    document,
    location,
    navigator: { doNotTrack: null, sendBeacon, ...privacy },
  });
  reportPageViews(window as unknown as Window, 'https://count.example/views', EVENT);
  const go = (path: string) => {
    location.pathname = path;
    document.dispatchEvent(new Event(EVENT));
  };
  const hide = () => {
    document.visibilityState = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
  };
  return { document, window, go, hide, sent, sendBeacon };
}

beforeEach(() => {
  vi.useFakeTimers();
});

test('every page is counted, the first too, and sent in one piece when the page is put away', () => {
  const { go, hide, sent } = setUp();
  go('/docs/second');
  go('/docs/second');
  expect(sent).toEqual([]);
  hide();
  expect(sent).toEqual([
    { url: 'https://count.example/views', paths: ['/docs/first', '/docs/second'] },
  ]);
  hide();
  expect(sent).toHaveLength(1);
});

test('a page that is left at once is counted', () => {
  const { sent, window } = setUp();
  window.dispatchEvent(new Event('pagehide'));
  expect(sent.map(({ paths }) => paths)).toEqual([['/docs/first']]);
});

test('a long visit is sent in pieces', () => {
  const { go, sent } = setUp();
  for (let page = 2; page <= 41; page += 1) go(`/docs/${page}`);
  expect(sent.map(({ paths }) => paths.length)).toEqual([20, 20]);
});

test('what the browser did not take is sent again', () => {
  const { go, hide, sent, sendBeacon } = setUp();
  sendBeacon.mockReturnValueOnce(false);
  hide();
  go('/docs/second');
  hide();
  expect(sent.at(-1)?.paths).toEqual(['/docs/first', '/docs/second']);
});

test.each([{ doNotTrack: '1' }, { globalPrivacyControl: true }])(
  'a reader with %j is not counted',
  (privacy) => {
    const { go, hide, sendBeacon } = setUp(privacy);
    go('/docs/second');
    hide();
    expect(sendBeacon).not.toHaveBeenCalled();
  },
);

test('a browser that says nothing of it is counted', () => {
  const { hide, sent } = setUp({ doNotTrack: '0', globalPrivacyControl: false });
  hide();
  expect(sent).toHaveLength(1);
});
