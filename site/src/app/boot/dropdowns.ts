/** The open dropdown closes when the reader turns to something else. */
export function closeDropdowns(document: Document): void {
  function close(unless: (dropdown: HTMLDetailsElement) => boolean, focus: boolean): void {
    for (const dropdown of document.querySelectorAll<HTMLDetailsElement>('[data-dropdown][open]')) {
      if (unless(dropdown)) continue;
      dropdown.open = false;
      if (focus) dropdown.querySelector('summary')?.focus();
    }
  }
  document.addEventListener('click', ({ target }) => {
    // A chosen entry closes its list as well.
    close((open) => open.querySelector('summary')?.contains(target as Node) === true, false);
  });
  document.addEventListener('focusin', ({ target }) => {
    close((open) => open.contains(target as Node), false);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close(() => false, true);
  });
}
