import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sayIn } from '../../shared/content/words';
import { copyCode, prepareCode, wrapCode } from './code';

const say = sayIn(null, 'en');

afterEach(() => {
  vi.restoreAllMocks();
});
beforeEach(() => {
  document.body.innerHTML =
    '<div class="code"><pre><code>curl -sS <span class="h-s">x</span>\n</code></pre></div>';
});

test('each block gets its buttons once, also when the page is prepared twice', () => {
  prepareCode(document, say);
  prepareCode(document, say);
  expect(document.querySelectorAll('.code-copy')).toHaveLength(1);
});

test('the copied text is the code without its last line break', async () => {
  prepareCode(document, say);
  const button = document.querySelector('.code-copy') as HTMLElement;
  const writeText = vi.fn(() => Promise.resolve());
  await copyCode(button, { writeText } as unknown as Clipboard, say);
  expect(writeText).toHaveBeenCalledWith('curl -sS x');
  expect(button.textContent).toBe('Copied');
});

test('lines that a block takes out are not copied, and stay', async () => {
  document.body.innerHTML =
    '<div class="code"><pre><code>a\n<del>b\n</del><ins>c\n</ins></code></pre></div>';
  prepareCode(document, say);
  const writeText = vi.fn(() => Promise.resolve());
  const button = document.querySelector('.code-copy') as HTMLElement;
  await copyCode(button, { writeText } as unknown as Clipboard, say);
  expect(writeText).toHaveBeenCalledWith('a\nc');
  expect(document.querySelector('code')?.textContent).toBe('a\nb\nc\n');
});

test('of a session what was typed is copied', async () => {
  document.body.innerHTML =
    '<div class="code"><pre><code><span class="h-p">$ </span>a\n<span class="h-o">b\n\n</span><span class="h-p">$ </span>c\n</code></pre></div>';
  prepareCode(document, say);
  const writeText = vi.fn(() => Promise.resolve());
  const button = document.querySelector('.code-copy') as HTMLElement;
  await copyCode(button, { writeText } as unknown as Clipboard, say);
  expect(writeText).toHaveBeenCalledWith('a\nc');
});

test('where nothing can be copied the button says so', async () => {
  prepareCode(document, say);
  const button = document.querySelector('.code-copy') as HTMLElement;
  await copyCode(button, undefined, say);
  expect(button.textContent).toBe('Not copied');
});

test('however many blocks there are, none is measured after a change', () => {
  document.body.innerHTML = '<div class="code"><pre><code>x</code></pre></div>'.repeat(3);
  const steps: string[] = [];
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(() => {
    steps.push('measure');
    return 0;
  });
  vi.spyOn(HTMLElement.prototype, 'append').mockImplementation(function (
    this: HTMLElement,
    ...nodes
  ) {
    steps.push('change');
    for (const node of nodes) this.appendChild(node as Node);
  });
  prepareCode(document, say);
  expect(steps).toEqual([...Array(3).fill('measure'), ...Array(3).fill('change')]);
});

test('a block that is folded is measured when it is shown', () => {
  const code = document.querySelector('pre') as HTMLElement;
  const isVisible = vi.fn(() => false);
  code.checkVisibility = isVisible;
  const width = vi.spyOn(code, 'scrollWidth', 'get').mockReturnValue(900);
  prepareCode(document, say);
  const wrap = document.querySelector('.code-wrap') as HTMLElement;
  expect(wrap.hidden).toBe(true);
  expect(width).not.toHaveBeenCalled();

  isVisible.mockReturnValue(true);
  prepareCode(document, say);
  expect(wrap.hidden).toBe(false);
});

test('lines can be wrapped where they are longer than the block', () => {
  const code = document.querySelector('pre') as HTMLElement;
  const width = vi.spyOn(code, 'scrollWidth', 'get').mockReturnValue(0);
  prepareCode(document, say);
  const wrap = document.querySelector('.code-wrap') as HTMLElement;
  expect(wrap.hidden).toBe(true);

  width.mockReturnValue(900);
  prepareCode(document, say);
  expect(wrap.hidden).toBe(false);
  wrapCode(wrap);
  expect(wrap.getAttribute('aria-pressed')).toBe('true');
  expect(wrap.parentElement?.hasAttribute('data-wraps')).toBe(true);

  // Wrapped lines are never too long, but the way back must stay.
  width.mockReturnValue(0);
  prepareCode(document, say);
  expect(wrap.hidden).toBe(false);
  wrapCode(wrap);
  expect(wrap.parentElement?.hasAttribute('data-wraps')).toBe(false);
  prepareCode(document, say);
  expect(wrap.hidden).toBe(true);
});
