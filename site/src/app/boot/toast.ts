/** A small message at the foot of the window, built without markup strings. */
interface ToastAction {
  label: string;
  perform(): void;
}

const ID = ':toast';

/** Shows the message in place of an earlier one. It can always be closed, by the button with the label `close`. */
export function showToast(
  document: Document,
  message: string,
  close: string,
  action: ToastAction | null = null,
): void {
  document.getElementById(ID)?.remove();
  const toast = document.createElement('div');
  toast.id = ID;
  toast.className = ':toast';
  toast.role = 'status';
  const text = document.createElement('p');
  text.textContent = message;
  toast.append(text);
  if (action) toast.append(button(document, action.label, action.perform));
  toast.append(button(document, close, () => toast.remove()));
  document.body.append(toast);
}

function button(document: Document, label: string, perform: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = label;
  element.addEventListener('click', perform);
  return element;
}
