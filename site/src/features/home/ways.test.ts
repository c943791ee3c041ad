import { expect, test } from 'vitest';
import { waysInto } from './ways';

const pages = [
  '/docs/overview/quickstart',
  '/docs/connectors/custom',
  '/docs/overview/how-it-works',
  '/docs/metrics/overview',
];

test('the four ways lead to pages of the site', () => {
  expect(waysInto(new Set(pages), '/docs').map(({ path }) => path)).toEqual(pages);
});

test('docs that lack one of the pages get the plain entrance', () => {
  expect(waysInto(new Set(pages.slice(1)), '/docs')).toEqual([]);
});
