import { beforeEach, expect, test, vi } from 'vitest';
import { copyCode, prepareCode } from './code';

beforeEach(() => {
  document.body.innerHTML =
    '<div class="code"><pre><code>curl -sS <span class="h-s">x</span>\n</code></pre></div>';
});

test('each block gets one button, also when the page is prepared twice', () => {
  prepareCode(document);
  prepareCode(document);
  expect(document.querySelectorAll('.code-copy')).toHaveLength(1);
});

test('the copied text is the code without its last line break', async () => {
  prepareCode(document);
  const button = document.querySelector('button') as HTMLElement;
  const writeText = vi.fn(() => Promise.resolve());
  await copyCode(button, { writeText } as unknown as Clipboard);
  expect(writeText).toHaveBeenCalledWith('curl -sS x');
  expect(button.textContent).toBe('Copied');
});

test('where nothing can be copied the button says so', async () => {
  prepareCode(document);
  const button = document.querySelector('button') as HTMLElement;
  await copyCode(button, undefined);
  expect(button.textContent).toBe('Not copied');
});
