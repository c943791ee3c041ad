// @vitest-environment node
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { componentPages } from '../../tools/componentPages.mjs';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'components-'));
});
afterEach(() => rm(root, { recursive: true }));

async function render(files: Record<string, string>) {
  await mkdir(join(root, 'components'));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(root, 'components', name), text);
  }
  const components = [{ path: '/docs/status', file: 'status.tsx', source: 'pages/status.tsx' }];
  await writeFile(join(root, 'manifest.json'), JSON.stringify({ components }));
  return componentPages(root);
}

test('a component becomes the HTML that it renders, with what it imports', async () => {
  const pages = await render({
    'status.tsx': `
      import { useState } from 'react';
      import { part } from './part';
      export const title = 'Status';
      export default function Page() {
        const [count] = useState<number>(2);
        return <p className="x">{part} {count} {'<b>'}</p>;
      }`,
    'part.ts': `export const part = 'all runs';`,
  });
  expect(pages).toEqual([
    {
      path: '/docs/status',
      title: 'Status',
      description: '',
      html: '<p class="x">all runs 2 &lt;b&gt;</p>',
    },
  ]);
}, 60_000);

test.each([
  [
    `export const title = 'Status';`,
    'pages/status.tsx:1:1: the page has no default export; export the component',
  ],
  [`export default () => null;`, 'pages/status.tsx:1:1: the page has no title'],
])(
  'a module that is no page is named (%#)',
  async (text, message) => {
    await expect(render({ 'status.tsx': text })).rejects.toThrow(message);
  },
  60_000,
);

test('a site without such pages has nothing to do', async () => {
  await writeFile(join(root, 'manifest.json'), '{}');
  expect(await componentPages(root)).toEqual([]);
});
