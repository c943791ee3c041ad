import { expect, test, vi } from 'vitest';

declare global {
  var isBooted: boolean | undefined;
  var heard: string[];
}

const BOOT = `
globalThis.isBooted = true;
export const press = (pressed) => heard.push(...pressed.map(({ type }) => type));
`;

test('the boot script is imported when the page has been read and its first frames have been shown', async () => {
  const script = document.createElement('script');
  script.dataset.boot = `data:text/javascript,${encodeURIComponent(BOOT)}`;
  globalThis.heard = [];
  document.body.innerHTML = '<button id="b"><i id="i">x</i></button><a id="a" href="#x">y</a>';
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));

  await import('./first');
  expect(document.documentElement.dataset.js).toBe('');
  expect(frames).toHaveLength(0);
  document.querySelector<HTMLElement>('i')?.click();
  document.querySelector('a')?.click();
  const key = { key: 'k', ctrlKey: true, bubbles: true };
  document.body.dispatchEvent(new KeyboardEvent('keydown', key));
  document.dispatchEvent(new Event('DOMContentLoaded'));
  for (let frame = 1; frame <= 5; frame += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    expect(globalThis.isBooted).toBeUndefined();
    expect(frames).toHaveLength(frame);
    frames[frame - 1]?.(0);
  }
  await vi.waitFor(() => expect(globalThis.isBooted).toBe(true));

  // It is given what was pressed before.
  await vi.waitFor(() => expect(globalThis.heard).toEqual(['click', 'click', 'keydown']));
});
