import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Console } from './Console';
import { closeConsoles, toggleConsole } from './index';
import { keyStore } from './keyStore';
import type { ConsoleOperation } from './operation';

afterEach(() => {
  cleanup();
  keyStore.getState().setKey('');
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

Element.prototype.scrollIntoView = () => {};

/** One whose path and body both have an `id`. */
const OPERATION: ConsoleOperation = {
  id: 'replace',
  method: 'PUT',
  path: '/items/{id}',
  server: 'https://api.example',
  key: { header: 'x-api-key', required: true },
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'Of the item',
      example: 'one',
      schema: { type: 'string' },
    },
  ],
  body: {
    mediaType: 'application/json',
    required: true,
    schema: { type: 'object', properties: { id: { type: 'number' } } },
    examples: [{ summary: 'One', text: '{"id": 1}' }],
  },
  schemas: {},
};

/** Of each field whether it is marked, and what is said of it. */
function marks() {
  return Object.fromEntries(
    ['x-api-key', 'id', 'Body'].map((label) => {
      const field = screen.getByLabelText(label);
      const said = (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent);
      return [label, field.getAttribute('aria-invalid') === 'true' ? said.at(-1) : null];
    }),
  );
}

function type(label: string, value: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

test('a field is marked for what is wrong with it, and for nothing else', () => {
  render(<Console operation={OPERATION} name="Try it: Replace an item" onClose={() => {}} />);
  const nothing = { 'x-api-key': null, id: null, Body: null };
  expect(marks()).toEqual({ ...nothing, 'x-api-key': expect.stringContaining('missing') });
  type('x-api-key', 'some-key');
  expect(marks()).toEqual(nothing);

  type('x-api-key', 'ключ');
  const key = expect.stringContaining('ASCII letters');
  expect(marks()).toEqual({ ...nothing, 'x-api-key': key });
  type('id', '');
  const id = expect.stringContaining('missing');
  expect(marks()).toEqual({ ...nothing, 'x-api-key': key, id });
  type('x-api-key', 'some-key');
  type('id', 'one');
  type('Body', '{"id": "one"}');
  expect(marks()).toEqual({ ...nothing, Body: expect.stringContaining('id') });
});

test('neither what is wrong with the body nor a missing key keeps the request back', () => {
  const fetch = vi.fn(() => new Promise(() => {}));
  vi.stubGlobal('fetch', fetch);
  render(<Console operation={OPERATION} name="Try it: Replace an item" onClose={() => {}} />);
  type('id', '');
  fireEvent.click(screen.getByText('Send'));
  expect(screen.getByRole('status').textContent).toBe('id: This parameter is missing.');
  expect(fetch).not.toHaveBeenCalled();

  type('id', 'one');
  type('Body', '{"id": "one"}');
  fireEvent.click(screen.getByText('Send'));
  expect(fetch).toHaveBeenCalledOnce();
});

/** A server that answers when the test says so. */
function stubServer() {
  const answers: ((response: Response) => void)[] = [];
  const fetch = vi.fn(
    (_url: string, { signal }: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        answers.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  vi.stubGlobal('fetch', fetch);
  return {
    fetch,
    /** To the request that is on its way. */
    async answer(body: string) {
      answers.at(-1)?.(new Response(body));
      await waitFor(() => expect(screen.queryByText('Cancel')).toBeNull());
    },
  };
}

test('the focus on "Cancel" goes to "Send" when there is nothing to cancel any more', async () => {
  const server = stubServer();
  render(<Console operation={OPERATION} name="Try it: Replace an item" onClose={() => {}} />);
  const send = screen.getByText('Send');
  fireEvent.click(send);
  screen.getByText('Cancel').focus();
  fireEvent.click(screen.getByText('Cancel'));
  await waitFor(() => expect(screen.queryByText('Cancel')).toBeNull());
  expect(document.activeElement).toBe(send);

  fireEvent.click(send);
  screen.getByText('Cancel').focus();
  await server.answer('{}');
  expect(document.activeElement).toBe(send);
});

test('an answer leaves the focus where the reader has put it', async () => {
  const server = stubServer();
  render(<Console operation={OPERATION} name="Try it: Replace an item" onClose={() => {}} />);
  fireEvent.click(screen.getByText('Send'));
  screen.getByLabelText('Body').focus();
  await server.answer('{}');
  expect(document.activeElement).toBe(screen.getByLabelText('Body'));
});

test('of an answer the line with its status is announced, and its body has a name', async () => {
  const server = stubServer();
  render(<Console operation={OPERATION} name="Try it: Replace an item" onClose={() => {}} />);
  fireEvent.click(screen.getByText('Send'));
  await server.answer('{"rows": [1, 2]}');
  expect(screen.getByRole('status').textContent).toMatch(/^200 +\d+ ms 16 bytes$/);
  expect(screen.getByLabelText('Body of the answer').textContent).toContain('"rows"');
});

test('a form is called like the button that opens it', async () => {
  const description = JSON.stringify(OPERATION);
  vi.stubGlobal('fetch', async () => new Response(description));
  const buttons = ['Try it: Replace an item', 'Try it: Replace a user'].map((name) => {
    const button = document.createElement('button');
    button.setAttribute('aria-label', name);
    document.body.append(button);
    return button;
  });
  for (const button of buttons) await act(() => toggleConsole(button));
  const names = screen.getAllByRole('form').map((form) => form.getAttribute('aria-label'));
  expect(names).toEqual(['Try it: Replace an item', 'Try it: Replace a user']);
  await act(async () => closeConsoles());
  for (const button of buttons) button.remove();
});

test('the list of examples says which one the body is, and brings an edited one back', () => {
  const examples = [
    { summary: 'One', text: '{"id": 1}' },
    { summary: 'Two', text: '{"id": 2}' },
  ];
  const body = { mediaType: 'application/json', required: true, schema: true, examples };
  const operation = { ...OPERATION, id: 'with_examples', body };
  const open = () => render(<Console operation={operation} name="Try it" onClose={() => {}} />);
  const list = () => screen.getByLabelText<HTMLSelectElement>('Example');
  const said = () => list().options[list().selectedIndex]?.textContent;
  const bodyText = () => screen.getByLabelText<HTMLTextAreaElement>('Body').value;

  const first = open();
  expect(said()).toBe('One');
  fireEvent.change(list(), { target: { value: '1' } });
  expect([said(), bodyText()]).toEqual(['Two', '{"id": 2}']);
  first.unmount();

  open();
  expect([said(), bodyText()]).toEqual(['Two', '{"id": 2}']);
  type('Body', '{"id": 3}');
  expect(said()).toBe('Edited');
  fireEvent.change(list(), { target: { value: '1' } });
  expect([said(), bodyText()]).toEqual(['Two', '{"id": 2}']);
  expect(list().textContent).not.toContain('Edited');
});

test('a single example can be brought back, too', () => {
  render(<Console operation={OPERATION} name="Try it" onClose={() => {}} />);
  type('Body', '{}');
  fireEvent.change(screen.getByLabelText('Example'), { target: { value: '0' } });
  expect(screen.getByLabelText<HTMLTextAreaElement>('Body').value).toBe('{"id": 1}');
});

test('half of a character in a path is a problem of its field, and is not sent', () => {
  const server = stubServer();
  render(<Console operation={OPERATION} name="Try it" onClose={() => {}} />);
  type('id', 'x\ud83d');
  expect(marks()).toMatchObject({ id: expect.stringContaining('Half of a character') });
  fireEvent.click(screen.getByText('Send'));
  expect(server.fetch).not.toHaveBeenCalled();
});

test('an answer stands below the address that was asked, whatever is typed meanwhile', async () => {
  const server = stubServer();
  const { container } = render(<Console operation={OPERATION} name="Try it" onClose={() => {}} />);
  type('id', 'one');
  fireEvent.click(screen.getByText('Send'));
  type('id', 'two');
  await server.answer('{}');
  const addresses = [...container.querySelectorAll('form > p code, div p code')].map(
    (code) => code.textContent,
  );
  expect(addresses).toEqual(['https://api.example/items/two', 'https://api.example/items/one']);
});

test('a long body is checked when its reader pauses, or sends it', () => {
  vi.useFakeTimers();
  const server = stubServer();
  render(<Console operation={OPERATION} name="Try it" onClose={() => {}} />);
  const long = ' '.repeat(60_000);
  const problems = () => marks().Body;
  type('id', 'one');
  type('Body', '{"id": 1}');
  act(() => vi.runAllTimers());
  expect(problems()).toBeNull();

  type('Body', `{"id": "one"}${long}`);
  act(() => vi.advanceTimersByTime(200));
  type('Body', `{"id": "ones"}${long}`);
  act(() => vi.advanceTimersByTime(200));
  expect(problems()).toBeNull();
  act(() => vi.advanceTimersByTime(200));
  expect(problems()).toContain('Expected "number"');

  // What is short is checked at once, and so is what is sent.
  type('Body', '{"id": 2}');
  expect(problems()).toBeNull();
  act(() => vi.runAllTimers());
  type('Body', `{"id": true}${long}`);
  expect(problems()).toBeNull();
  fireEvent.click(screen.getByText('Send'));
  expect(server.fetch).toHaveBeenCalledOnce();
  expect(problems()).toContain('Expected "number"');
});
