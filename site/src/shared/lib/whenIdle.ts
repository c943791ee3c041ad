/** Calls the task when the main thread has nothing else to do. */
export const whenIdle: (task: () => void) => void =
  window.requestIdleCallback ?? ((task) => setTimeout(task, 2000));
