import type { Say } from '../../shared/content/words';

/**
 * Gives every code block a button that copies it, and one that wraps its lines where they are
 * longer than the block. That is known of blocks that are shown; others are prepared again when they are.
 */
export function prepareCode(document: Document, say: Say): void {
  const blocks = [...document.querySelectorAll<HTMLElement>('.code')];
  // All are measured, then all are changed: a measure after a change lays the whole page out anew, and at once.
  const areLong = blocks.map((block) => {
    const code = block.querySelector('pre');
    return code !== null && isShown(code) && code.scrollWidth > code.clientWidth;
  });
  for (const [index, block] of blocks.entries()) {
    const wrap = block.querySelector<HTMLElement>('.code-wrap') ?? button('code-wrap', say('Wrap'));
    const isWrapped = wrap.getAttribute('aria-pressed') === 'true';
    wrap.hidden = !isWrapped && !areLong[index];
    if (!wrap.parentElement) {
      wrap.setAttribute('aria-pressed', 'false');
      block.append(wrap, button('code-copy', say('Copy')));
    }
  }

  function button(name: string, label: string): HTMLElement {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = name;
    element.textContent = label;
    return element;
  }
}

/** Measuring what is folded lays it out, one after the other: on a page of the API reference, most of a second. */
function isShown(element: Element): boolean {
  return element.checkVisibility?.() ?? true;
}

/**
 * Wraps the lines of the block, or puts them back. The block says it too: a rule that looked for the pressed button would have all
 * blocks styled again when they get theirs.
 */
export function wrapCode(button: HTMLElement): void {
  const isWrapped = button.getAttribute('aria-pressed') !== 'true';
  button.setAttribute('aria-pressed', String(isWrapped));
  button.parentElement?.toggleAttribute('data-wraps', isWrapped);
}

/**
 * Copies the block of the pressed button, without the lines that it takes out, and of a session only what was typed, and says so on it.
 */
export async function copyCode(
  button: HTMLElement,
  clipboard: Clipboard | undefined,
  say: Say,
): Promise<void> {
  const block = button.closest('.code')?.querySelector('code')?.cloneNode(true) as Element | null;
  for (const part of block?.querySelectorAll('del, .h-p, .h-o') ?? []) part.remove();
  const code = block?.textContent ?? '';
  try {
    if (!clipboard) throw new Error('no clipboard');
    await clipboard.writeText(code.replace(/\n$/, ''));
    button.textContent = say('Copied');
  } catch {
    // Not a secure origin, or refused by the reader: the button says what did not happen.
    button.textContent = say('Not copied');
  }
  setTimeout(() => {
    button.textContent = say('Copy');
  }, 2000);
}
