import { cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import type { PageView } from '../shared/content/model';
import { SiteContext } from '../shared/content/SiteContext';
import { docPage, metricsNav, site } from '../shared/content/testSite';
import { RouteLoadError } from './RouteLoadError';
import { createRoutes } from './routes';

// A machine that is busy with other things takes longer than a second to render the whole shell.
configure({ asyncUtilTimeout: 4_000 });

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function show(load: () => Promise<PageView>): void {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
  const router = createMemoryRouter(createRoutes({ load }, '/book/'), {
    basename: '/book',
    initialEntries: ['/book/docs/metrics/ndcg'],
  });
  render(
    <SiteContext value={site}>
      <RouterProvider router={router} />
    </SiteContext>,
  );
}

test('a page that did not load says why and loads on Retry', async () => {
  const load = vi
    .fn<() => Promise<PageView>>()
    .mockRejectedValueOnce(new RouteLoadError('The server answered with status 503.'))
    .mockResolvedValue({ page: docPage, nav: metricsNav, words: null });
  show(load);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The server answered with status 503.',
  );
  screen.getByRole('button', { name: 'Retry' }).click();
  await waitFor(() => screen.getByRole('heading', { name: 'nDCG & friends' }));
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('a page that crashes shows the message and Try again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const broken = { ...docPage, toc: null as unknown as [] };
  show(() => Promise.resolve({ page: broken, nav: metricsNav, words: null }));
  await waitFor(() => screen.getByRole('heading', { name: 'This page crashed.' }));
  expect(screen.getByRole('alert').textContent).toContain('null');
  screen.getByRole('button', { name: 'Try again' });
});
