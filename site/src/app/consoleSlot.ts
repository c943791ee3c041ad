/** The console of API references: loaded when a reader asks for it, closed when its page is left. */
import { PAGE_EVENT } from './pageEvent';
import { retriable } from './retriable';

const loadConsoles = retriable(() => import('../features/api/index'));

export async function toggleConsole(button: HTMLElement): Promise<void> {
  const { closeConsoles, toggleConsole: toggle } = await loadConsoles();
  document.addEventListener(PAGE_EVENT, closeConsoles, { once: true });
  await toggle(button);
}
