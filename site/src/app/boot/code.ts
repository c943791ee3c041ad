/** Adds a copy button to every code block that has none. */
export function prepareCode(document: Document): void {
  for (const block of document.querySelectorAll('.code:not(:has(.code-copy))')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'code-copy';
    button.textContent = 'Copy';
    block.append(button);
  }
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
