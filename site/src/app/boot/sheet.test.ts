import { expect, test } from 'vitest';
import { createSheet } from './sheet';

const links: HTMLLinkElement[] = [];
/** As much of a document as it takes; in a real one the link would be loaded. */
const page = {
  createElement: () => document.createElement('link'),
  head: {
    append(link: HTMLLinkElement) {
      links.push(link);
      link.remove = () => links.pop();
    },
  },
} as unknown as Document;

test('the sheet is loaded once, and again after a failure', async () => {
  const sheet = createSheet(page, '/assets/all.css');
  const failed = expect(sheet()).rejects.toThrow('/assets/all.css could not be loaded');
  expect(links).toHaveLength(1);
  links[0]?.dispatchEvent(new Event('error'));
  await failed;
  expect(links).toHaveLength(0);

  const loaded = sheet();
  expect(sheet()).toBe(loaded);
  expect(links).toHaveLength(1);
  expect(links[0]?.rel).toBe('stylesheet');
  expect(links[0]?.getAttribute('href')).toBe('/assets/all.css');
  links[0]?.dispatchEvent(new Event('load'));
  await loaded;
});
