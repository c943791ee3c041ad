import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, useParams } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PageBody } from './PageBody';

let frames: FrameRequestCallback[];

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function Page() {
  const { name } = useParams();
  return <PageBody key={name} html={`<p>${name}</p>`} />;
}

function body(): [string | undefined, boolean | undefined] {
  const element = document.querySelector('.prose');
  return [element?.textContent ?? undefined, element?.hasAttribute('data-arriving')];
}

function frame(): void {
  for (const callback of frames.splice(0)) callback(0);
  vi.runAllTimers();
}

async function opened() {
  const router = createMemoryRouter([{ path: '/:name', Component: Page }], {
    initialEntries: ['/first'],
  });
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(() => root.render(<RouterProvider router={router} />));
  return { go: (to: string | number) => act(() => router.navigate(to as string)), root };
}

test('of a page that a reader goes to the end comes with the second frame', async () => {
  const { go } = await opened();
  expect(body()).toEqual(['first', false]);
  await go('/first');
  expect(body()).toEqual(['first', false]);
  await go('/second');
  expect(body()).toEqual(['second', true]);
  frame();
  expect(body()).toEqual(['second', false]);
});

test('where a place on the page counts it is there whole', async () => {
  const { go } = await opened();
  await go('/second#end');
  expect(body()).toEqual(['second', false]);
  await go('/third');
  frame();
  await go('/fourth');
  await go(-1);
  expect(body()).toEqual(['third', false]);
});

test('a page that is left before the frame leaves nothing to be done', async () => {
  const { go, root } = await opened();
  await go('/second');
  await act(() => root.unmount());
  expect(frame).not.toThrow();
});
