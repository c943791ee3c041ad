import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { ApiAnswer } from '../../platform/apiClient';
import { AnswerView } from './AnswerView';

afterEach(cleanup);

function answer(body: string): ApiAnswer {
  return {
    status: 200,
    statusText: 'OK',
    milliseconds: 12,
    headers: [['content-type', 'application/json']],
    body,
    bytes: body.length,
    isCut: false,
  };
}

test.each([
  ['{"id":9007199254740993,"score":1.0}', '{\n  "id": 9007199254740993,\n  "score": 1.0\n}'],
  ['id,score\n1,1.0\n', 'id,score\n1,1.0\n'],
])('a body says what the server said: %j', (body, shown) => {
  const { container } = render(<AnswerView answer={answer(body)} />);
  expect(container.querySelector('pre')?.textContent).toBe(shown);
});

test.each<[ApiAnswer['headers'], string]>([
  [[['content-type', 'text/plain']], '1 header'],
  [[], '0 headers'],
])('its headers are counted: %j', (headers, counted) => {
  const { container } = render(<AnswerView answer={{ ...answer(''), headers }} />);
  expect(container.querySelector('summary')?.textContent).toBe(counted);
});
