/** Calls the task once what has changed by now is on the screen; where nobody sees the page, when somebody does. */
export function afterFrame(task: () => void): void {
  requestAnimationFrame(() => setTimeout(task));
}
