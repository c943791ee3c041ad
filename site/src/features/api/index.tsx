/** Puts a console below the button that asks for it. */
import { createRoot, type Root } from 'react-dom/client';
import { loadDescription } from '../../platform/apiClient';
import { Console } from './Console';
import { consoleOperation } from './operation';

/** The open consoles, by their buttons. */
const open = new Map<HTMLElement, { root: Root; place: HTMLElement }>();

/** Opens the console of a button, or closes it. */
export async function toggleConsole(button: HTMLElement): Promise<void> {
  if (open.has(button)) {
    close(button);
    return;
  }
  const operation = await loadDescription(button.dataset.console ?? '', consoleOperation);
  const place = document.createElement('div');
  button.after(place);
  const root = createRoot(place);
  open.set(button, { root, place });
  button.setAttribute('aria-expanded', 'true');
  root.render(
    <Console
      operation={operation}
      name={button.getAttribute('aria-label') ?? operation.id}
      onClose={() => {
        close(button);
        button.focus();
      }}
    />,
  );
}

/** Closes what belongs to a page that is left. */
export function closeConsoles(): void {
  for (const button of [...open.keys()]) close(button);
}

function close(button: HTMLElement): void {
  const console = open.get(button);
  if (!console) return;
  open.delete(button);
  console.root.unmount();
  console.place.remove();
  button.setAttribute('aria-expanded', 'false');
}
