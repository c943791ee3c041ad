import { createRoot } from 'react-dom/client';
import { createMemoryRouter, useLoaderData, useNavigation } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, expect, test, vi } from 'vitest';
import { showingAtOnce } from './showingAtOnce';

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function Page() {
  const { state } = useNavigation();
  return <h1 data-state={state}>{useLoaderData<string>()}</h1>;
}

test('a page is there as soon as its data is', async () => {
  // As in a browser: nothing is rendered because a test waits.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const router = createMemoryRouter(
    [{ path: '*', loader: ({ request }) => new URL(request.url).pathname, Component: Page }],
    { hydrationData: { loaderData: { 0: '/' } } },
  );
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<RouterProvider router={showingAtOnce(router)} />);
  await vi.waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('/'));
  await router.navigate('/next');
  const heading = document.querySelector('h1');
  expect([heading?.textContent, heading?.dataset.state]).toEqual(['/next', 'idle']);
  root.unmount();
});
