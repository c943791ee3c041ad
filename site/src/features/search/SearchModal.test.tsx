import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Alternatives, Hit } from '../../platform/hit';
import type { RetrieveOutcome } from '../../platform/retrieveClient';
import type { EngineOutcome } from '../../platform/searchClient';
import { SearchModal } from './SearchModal';
import type { SearchStore } from './searchState';
import { createSearchStore } from './searchStore';
import { hitAt } from './testHits';

const HITS: Hit[] = [
  {
    ...hitAt('/docs/metrics/ndcg#edge-cases', { lvl1: 'nDCG', content: 'Edge cases' }),
    marks: { lvl0: [], lvl1: [{ start: 0, end: 4 }], content: [] },
  },
  hitAt('/docs/connectors/custom', { lvl0: 'Connectors', lvl1: 'Custom' }),
  hitAt('/docs/metrics/ndcg#example', { lvl1: 'nDCG', content: 'A worked <b>example</b>' }),
];

let store: SearchStore;
let found: readonly Hit[];
let liveOutcome: RetrieveOutcome;
let indexOutcome: EngineOutcome | null;
let refined: Hit[] | null;
let alternatives: Alternatives | null;
let opened: [string, string][];

beforeEach(() => {
  vi.useFakeTimers();
  found = HITS;
  liveOutcome = { status: 'answered', metadata: [] };
  indexOutcome = null;
  refined = null;
  alternatives = null;
  opened = [];
  const answer = (hits = found, isRefinable = false): EngineOutcome => ({
    status: 'answered',
    hits: [...hits],
    isRefinable,
  });
  store = createSearchStore({
    mode: 'live-with-fallback',
    siteRoot: '/',
    suggestions: ['Metrics'],
    live: { retrieve: () => Promise.resolve(liveOutcome), forgetFailures() {} },
    engine: {
      search: () => Promise.resolve(indexOutcome ?? answer(found, refined !== null)),
      refine: async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return answer(refined ?? []);
      },
      alternatives: () => Promise.resolve(alternatives),
      mapHits: () => Promise.resolve(answer()),
      warm: () => Promise.resolve(answer()),
    },
    storage: { read: () => null, write: () => false },
    snippetWords: () => 10,
    openLink: (link, how) => void opened.push([link.href, how]),
    report() {},
  });
  render(<SearchModal store={store} siteRoot="/" />);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function open() {
  await act(async () => store.getState().open());
}

async function type(text: string) {
  await act(async () => {
    fireEvent.change(field(), { target: { value: text } });
    await vi.advanceTimersByTimeAsync(0);
  });
}

function field() {
  return screen.getByRole('combobox', { name: 'Search docs' });
}

async function press(key: string, modifiers: KeyboardEventInit = {}) {
  await act(async () => {
    fireEvent.keyDown(field(), { key, ...modifiers });
  });
}

/** The text of the selected option, which is the one that the field points at. */
function selected() {
  const option = screen.queryByRole('option', { selected: true });
  expect(field().getAttribute('aria-activedescendant') ?? undefined).toBe(option?.id);
  return option?.textContent ?? null;
}

test('opens as a dialog with the focus in the field, and says that there is nothing recent', async () => {
  expect(screen.queryByRole('dialog')).toBeNull();
  await open();
  expect(screen.getByRole('dialog', { name: 'Search docs' })).toBeTruthy();
  expect(document.activeElement).toBe(field());
  expect(field().getAttribute('placeholder')).toBe('Type to start searching');
  expect(field().getAttribute('aria-expanded')).toBe('false');
  expect(screen.getByText('No recent searches')).toBeTruthy();
});

test('hits stand in groups, hits of a page together, and the count is announced', async () => {
  await open();
  await type('ndcg');
  const groups = screen.getAllByRole('group').map((group) => [
    document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent,
    ...within(group)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ]);
  expect(groups).toEqual([
    ['Metrics', 'nDCG: Edge cases', 'nDCG: A worked <b>example</b>'],
    ['Connectors', 'Custom'],
  ]);
  expect(field().getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
  expect(screen.getByRole('status').textContent).toBe('3 results');
  expect(screen.getAllByText('nDCG', { selector: 'mark' })).toHaveLength(1);
});

test('the arrow keys walk round, the field keeps the focus', async () => {
  await open();
  await type('ndcg');
  const walk = [selected()];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
    await press(key);
    walk.push(selected());
  }
  expect(walk).toEqual([
    'nDCG: Edge cases',
    'nDCG: A worked <b>example</b>',
    'Custom',
    'nDCG: Edge cases',
    'Custom',
  ]);
  expect(document.activeElement).toBe(field());
});

test('Enter opens and closes, Ctrl, Cmd and Shift with Enter open elsewhere and stay', async () => {
  await open();
  await type('ndcg');
  await press('Enter', { ctrlKey: true });
  await press('Enter', { metaKey: true });
  await press('Enter', { shiftKey: true });
  expect(screen.getByRole('dialog')).toBeTruthy();
  await press('ArrowDown');
  await press('ArrowDown');
  await press('Enter');
  expect(opened).toEqual([
    ['/docs/metrics/ndcg#edge-cases', 'tab'],
    ['/docs/metrics/ndcg#edge-cases', 'tab'],
    ['/docs/metrics/ndcg#edge-cases', 'window'],
    ['/docs/connectors/custom', 'here'],
  ]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['the browser', true],
  ['Safari', false],
])('a key that ends a word of an input method does nothing else in %s', async (_, isComposing) => {
  const mark = { isComposing, keyCode: 229 };
  await open();
  await type('ndcg');
  await press('Enter', mark);
  await press('Escape', mark);
  expect(opened).toEqual([]);
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test.each([
  ['Escape', {}],
  ['k', { ctrlKey: true }],
])('%s closes, and the query is there when it opens again', async (key, modifiers) => {
  await open();
  await type('ndcg');
  await press(key, modifiers);
  expect(screen.queryByRole('dialog')).toBeNull();
  await open();
  expect((field() as HTMLInputElement).value).toBe('ndcg');
  expect(selected()).toBe('nDCG: Edge cases');
});

test('a key pressed right after closing is no longer the dialog’s', async () => {
  await open();
  await press('Escape');
  expect(document.activeElement).toBe(document.body);
});

test('a late word of an earlier closing does not close what is open again', async () => {
  await open();
  await act(async () => {
    fireEvent(screen.getByRole('dialog'), new Event('close'));
  });
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('when the browser closes the dialog itself, it can be opened again', async () => {
  await open();
  await act(async () => {
    (screen.getByRole('dialog') as HTMLDialogElement).close();
  });
  expect(store.getState().isOpen).toBe(false);
  await open();
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('a hit without a title is named by its address', async () => {
  found = [hitAt('/docs/untitled', { lvl1: '' })];
  await open();
  await type('x');
  expect(selected()).toBe('/docs/untitled');
});

test('a click chooses; with a modifier the browser opens the link and the modal stays', async () => {
  await open();
  await type('ndcg');
  const option = screen.getByRole('option', { name: 'Custom' });
  expect(option.getAttribute('href')).toBe('/docs/connectors/custom');
  await act(async () => {
    expect(fireEvent.click(option, { ctrlKey: true })).toBe(true);
  });
  expect(opened).toEqual([]);
  expect(store.getState().saved.recents).toHaveLength(1);
  await act(async () => {
    expect(fireEvent.click(option)).toBe(false);
  });
  expect(opened).toEqual([['/docs/connectors/custom', 'here']]);
});

test.each([
  ['MacIntel', true],
  ['Linux x86_64', false],
])(
  'with Meta a hit opens in a tab: on %s the browser itself does it, %s',
  async (platform, isLeft) => {
    vi.spyOn(navigator, 'platform', 'get').mockReturnValue(platform);
    const opening = vi.spyOn(window, 'open').mockReturnValue(null);
    await open();
    await type('ndcg');
    await act(async () => {
      const option = screen.getByRole('option', { name: 'Custom' });
      expect(fireEvent.click(option, { metaKey: true })).toBe(isLeft);
    });
    expect(opened).toEqual([]);
    expect(opening).toHaveBeenCalledTimes(isLeft ? 0 : 1);
    expect(screen.getByRole('dialog')).toBeTruthy();
    vi.restoreAllMocks();
  },
);

test('the keys that open and move are named where there is something to open', async () => {
  await open();
  expect(screen.queryByText('to move')).toBeNull();
  await type('ndcg');
  expect(screen.getByText('to move')).toBeTruthy();
  found = [];
  await type('zzz');
  expect(screen.queryByText('to move')).toBeNull();
  expect(screen.getByText('to close')).toBeTruthy();
});

test('a click on the backdrop closes, one inside does not', async () => {
  await open();
  await act(async () => {
    fireEvent.click(field());
  });
  expect(screen.getByRole('dialog')).toBeTruthy();
  await act(async () => {
    fireEvent.click(screen.getByRole('dialog'));
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('recent searches can be opened by key and removed by button', async () => {
  await open();
  await act(async () => {
    for (const hit of HITS) {
      store.getState().remember(hit);
    }
  });
  expect(selected()).toBeNull();
  await press('ArrowDown');
  expect(selected()).toBe('nDCG: A worked <b>example</b>');
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Remove Custom from recent searches' }));
  });
  expect(screen.getAllByRole('option')).toHaveLength(2);
  expect(document.activeElement).toBe(field());
  expect(screen.getByRole('status').textContent).toBe('Removed from recent searches');
});

test('a recent search becomes a favorite, which the keys reach too, and is removed again', async () => {
  await open();
  await act(async () => {
    for (const hit of HITS) {
      store.getState().remember(hit);
    }
  });
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Move Custom to favorites' }));
  });
  expect(screen.getByRole('status').textContent).toBe('Moved to favorites');
  expect(document.activeElement).toBe(field());
  const groups = screen.getAllByRole('group').map((group) => ({
    name: screen.getByText(group.firstElementChild?.textContent ?? '').textContent,
    options: within(group)
      .getAllByRole('option')
      .map((option) => option.textContent),
  }));
  expect(groups).toEqual([
    {
      name: 'Recent searches',
      options: ['nDCG: A worked <b>example</b>', 'nDCG: Edge cases'],
    },
    { name: 'Favorites', options: ['Custom'] },
  ]);
  await press('ArrowUp');
  expect(selected()).toBe('Custom');
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Remove Custom from favorites' }));
  });
  expect(screen.queryByText('Favorites')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('Removed from favorites');
});

test('the selection goes with a recent search that is opened elsewhere', async () => {
  await open();
  await act(async () => {
    for (const hit of HITS) {
      store.getState().remember(hit);
    }
  });
  await press('ArrowUp');
  expect(selected()).toBe('nDCG: Edge cases');
  await press('Enter', { ctrlKey: true });
  expect(opened).toEqual([['/docs/metrics/ndcg#edge-cases', 'tab']]);
  expect(selected()).toBe('nDCG: Edge cases');
  expect(screen.getAllByRole('option')[0]?.textContent).toBe('nDCG: Edge cases');
});

test('without the focus the field controls no open list, and opens it when it has it again', async () => {
  await open();
  await type('ndcg');
  expect(field().getAttribute('aria-expanded')).toBe('true');
  await act(async () => screen.getByRole('button', { name: 'Close' }).focus());
  expect(field().getAttribute('aria-expanded')).toBe('false');
  expect(field().getAttribute('aria-activedescendant')).toBeNull();
  await act(async () => field().focus());
  expect(field().getAttribute('aria-expanded')).toBe('true');
  expect(selected()).toBe('nDCG: Edge cases');
});

test('a press on an option leaves the focus in the field', async () => {
  await open();
  await type('ndcg');
  const option = screen.getByRole('option', { name: 'Custom' });
  expect(fireEvent.mouseDown(option)).toBe(false);
});

test('without results the query is named and a suggestion searches', async () => {
  found = [];
  await open();
  await type('<b>zzz</b>');
  expect(screen.getByRole('status').textContent).toBe('No results for “<b>zzz</b>”');
  expect(screen.getByText('<b>zzz</b>')).toBeTruthy();
  found = HITS;
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Metrics' }));
  });
  expect((field() as HTMLInputElement).value).toBe('Metrics');
  expect(screen.getAllByRole('option')).toHaveLength(3);
});

test('what the index proposes: queries that search, pages that open', async () => {
  found = [];
  alternatives = {
    queries: ['ndcg', 'ndcg edge'],
    pages: [
      hitAt('/docs/metrics/recall', { lvl1: 'Recall' }),
      hitAt('/docs/untitled', { lvl1: '' }),
    ],
  };
  await open();
  await type('zzz');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'ndcg',
    'ndcg edge',
    'Recall',
    '/docs/untitled',
  ]);
  const page = screen.getByRole('link', { name: 'Recall' });
  expect(page.getAttribute('href')).toBe('/docs/metrics/recall');
  await act(async () => {
    expect(fireEvent.click(page, { ctrlKey: true })).toBe(true);
  });
  expect(opened).toEqual([]);
  found = HITS;
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'ndcg' }));
  });
  expect(screen.getAllByRole('option')).toHaveLength(3);
  expect(document.activeElement).toBe(field());
  found = [];
  await type('zzz');
  await act(async () => {
    expect(fireEvent.click(screen.getByRole('link', { name: 'Recall' }))).toBe(false);
  });
  expect(opened).toEqual([['/docs/metrics/recall', 'here']]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

describe('a refined list', () => {
  const [edgeCases, custom, example] = HITS as [Hit, Hit, Hit];
  const texts = () => screen.getAllByRole('option').map((option) => option.textContent);

  async function withFirst() {
    liveOutcome = { status: 'failed', reason: 'unreachable', detail: 'refused' };
    refined = [hitAt('/docs/metrics/recall', { lvl1: 'Recall' }), example, edgeCases];
    found = [edgeCases, custom, example];
    await open();
    await type('ndcg');
  }
  const refine = () => act(() => vi.advanceTimersByTimeAsync(100));

  test('takes the place of the first; what is in both keeps its element', async () => {
    await withFirst();
    const before = screen.getByRole('option', { name: /Edge cases/ });
    await refine();
    expect(texts()).toEqual(['Recall', 'nDCG: A worked <b>example</b>', 'nDCG: Edge cases']);
    expect(screen.getByRole('option', { name: /Edge cases/ })).toBe(before);
    expect(selected()).toBe('Recall');
  });

  test.each<[string, (list: HTMLElement) => unknown]>([
    ['the pointer moves over the list', (list) => fireEvent.pointerMove(list)],
    ['the list is pressed', (list) => fireEvent.pointerDown(list)],
    [
      'the list is scrolled',
      (list) => {
        const body = list.parentElement as HTMLElement;
        body.scrollTop = 10;
        fireEvent.scroll(body);
      },
    ],
    ['the selection moves', () => fireEvent.keyDown(field(), { key: 'ArrowDown' })],
  ])('does not come when %s', async (_, touch) => {
    await withFirst();
    const before = texts();
    await act(async () => {
      touch(screen.getByRole('listbox'));
    });
    await refine();
    expect(texts()).toEqual(before);
  });

  test('comes when the pointer has left the list again', async () => {
    await withFirst();
    await act(async () => {
      const list = screen.getByRole('listbox');
      fireEvent.pointerMove(list);
      fireEvent.pointerLeave(list.parentElement as HTMLElement);
    });
    await refine();
    expect(texts()[0]).toBe('Recall');
  });
});

test('each query starts at the top of its list', async () => {
  await open();
  await type('ndcg');
  const body = screen.getByRole('listbox').parentElement as HTMLElement;
  body.scrollTop = 50;
  await type('ndcg e');
  expect(body.scrollTop).toBe(0);
});

test('results of the offline index say so', async () => {
  await open();
  await type('ndcg');
  expect(screen.queryByText('Results from the offline index')).toBeNull();
  liveOutcome = { status: 'failed', reason: 'unreachable', detail: 'refused' };
  await type('ndcgs');
  expect(screen.getByText('Results from the offline index')).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('3 results from the offline index');
});

test('nobody reached and no index: the error screen with its help', async () => {
  liveOutcome = { status: 'failed', reason: 'unreachable', detail: 'refused' };
  indexOutcome = { status: 'failed', reason: 'unreachable', detail: 'refused' };
  await open();
  await type('ndcg');
  expect(screen.getByText('Unable to fetch results')).toBeTruthy();
  expect(screen.getByText('You might want to check your network connection.')).toBeTruthy();
});

test('Try again asks again, and the answer takes the place of the error', async () => {
  liveOutcome = { status: 'failed', reason: 'unreachable', detail: 'x' };
  indexOutcome = { status: 'failed', reason: 'unreachable', detail: 'x' };
  await open();
  await type('ndcg');
  liveOutcome = { status: 'answered', metadata: [] };
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(screen.getAllByRole('option')).toHaveLength(3);
  expect(document.activeElement).toBe(field());
});

test('the field can be cleared', async () => {
  await open();
  await type('ndcg');
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Clear the query' }));
  });
  expect(screen.getByText('No recent searches')).toBeTruthy();
  expect(document.activeElement).toBe(field());
});
