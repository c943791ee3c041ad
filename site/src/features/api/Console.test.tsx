import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Console } from './Console';
import { keyStore } from './keyStore';
import type { ConsoleOperation } from './operation';

afterEach(() => {
  cleanup();
  keyStore.getState().setKey('');
  vi.unstubAllGlobals();
});

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
  render(<Console operation={OPERATION} onClose={() => {}} />);
  const nothing = { 'x-api-key': null, id: null, Body: null };
  expect(marks()).toEqual(nothing);

  type('x-api-key', 'ключ');
  const key = expect.stringContaining('ASCII letters');
  expect(marks()).toEqual({ ...nothing, 'x-api-key': key });
  type('id', '');
  const id = expect.stringContaining('missing');
  expect(marks()).toEqual({ ...nothing, 'x-api-key': key, id });
  type('x-api-key', '');
  type('id', 'one');
  type('Body', '{"id": "one"}');
  expect(marks()).toEqual({ ...nothing, Body: expect.stringContaining('id') });
});

test('what is wrong with a field of the body does not keep the request back', () => {
  const fetch = vi.fn(() => new Promise(() => {}));
  vi.stubGlobal('fetch', fetch);
  Element.prototype.scrollIntoView = () => {};
  render(<Console operation={OPERATION} onClose={() => {}} />);
  type('id', '');
  fireEvent.click(screen.getByText('Send'));
  expect(screen.getByRole('status').textContent).toBe('id: This parameter is missing.');
  expect(fetch).not.toHaveBeenCalled();

  type('id', 'one');
  type('Body', '{"id": "one"}');
  fireEvent.click(screen.getByText('Send'));
  expect(fetch).toHaveBeenCalledOnce();
});
