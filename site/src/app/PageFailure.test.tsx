import { cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import type { PageView } from '../shared/content/model';
import { SiteContext } from '../shared/content/SiteContext';
import { docPage, metricsNav, site } from '../shared/content/testSite';
import { PAGE_EVENT } from './pageEvent';
import { RouteLoadError } from './RouteLoadError';
import { createRoutes } from './routes';

// A machine that is busy with other things takes longer than a second to render the whole shell.
configure({ asyncUtilTimeout: 4_000 });

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function show(load: () => Promise<PageView>) {
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
  return router;
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

test('a failure is a place of its own, and what comes after it is arrived at', async () => {
  const view = { page: docPage, nav: metricsNav, words: null };
  const load = vi
    .fn<() => Promise<PageView>>()
    .mockResolvedValueOnce(view)
    .mockRejectedValueOnce(new RouteLoadError('The server answered with status 503.'))
    .mockResolvedValue(view);
  const events = vi.fn();
  document.addEventListener(PAGE_EVENT, events);
  const router = show(load);
  await screen.findByRole('heading', { name: 'nDCG & friends' });
  const links = () =>
    document.querySelectorAll('[id=":menu"] a[href^="/book/docs/metrics/"]').length;
  const before = links();
  expect(before).toBeGreaterThan(0);

  await router.navigate('/docs/metrics/other');
  const failed = await screen.findByRole('heading', { name: 'This page did not load' });
  await waitFor(() => expect(document.activeElement).toBe(failed));
  expect(document.title).toBe('This page did not load · siftwren');
  expect(links()).toBeGreaterThan(before / 2);
  expect(events).not.toHaveBeenCalled();

  // The page that was there before the failure, by Back for instance.
  await router.navigate('/docs/metrics/ndcg');
  const heading = await screen.findByRole('heading', { name: 'nDCG & friends' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(document.title).toBe('nDCG & friends · siftwren');
  expect(events).toHaveBeenCalledOnce();
  document.removeEventListener(PAGE_EVENT, events);
});
