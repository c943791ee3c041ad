/**
 * Gives every code block a button that copies it, and one that wraps its lines where they are
 * longer than the block.
 */
export function prepareCode(document: Document): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const wrap = block.querySelector<HTMLElement>('.code-wrap') ?? button('code-wrap', 'Wrap');
    const code = block.querySelector('pre');
    if (!wrap.parentElement) {
      wrap.setAttribute('aria-pressed', 'false');
      block.append(wrap, button('code-copy', 'Copy'));
    }
    const isWrapped = wrap.getAttribute('aria-pressed') === 'true';
    wrap.hidden = !code || (!isWrapped && code.scrollWidth <= code.clientWidth);
  }

  function button(name: string, label: string): HTMLElement {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = name;
    element.textContent = label;
    return element;
  }
}

/** Wraps the lines of the block, or puts them back. */
export function wrapCode(button: HTMLElement): void {
  const isWrapped = button.getAttribute('aria-pressed') !== 'true';
  button.setAttribute('aria-pressed', String(isWrapped));
}

/** Copies the block of the pressed button and says so on it. */
export async function copyCode(
  button: HTMLElement,
  clipboard: Clipboard | undefined,
): Promise<void> {
  const code = button.closest('.code')?.querySelector('code')?.textContent ?? '';
  try {
    if (!clipboard) throw new Error('no clipboard');
    await clipboard.writeText(code.replace(/\n$/, ''));
    button.textContent = 'Copied';
  } catch {
    // Not a secure origin, or refused by the reader: the button says what did not happen.
    button.textContent = 'Not copied';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}
