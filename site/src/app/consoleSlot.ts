/** The console of API references: loaded when a reader asks for it, closed when its page is left. */
import { loadAgain } from './loadAgain';
import { PAGE_EVENT } from './pageEvent';

export async function toggleConsole(button: HTMLElement): Promise<void> {
  const { closeConsoles, toggleConsole: toggle } = await loadAgain(
    () => import('../features/api/index'),
  );
  document.addEventListener(PAGE_EVENT, closeConsoles, { once: true });
  await toggle(button);
}
