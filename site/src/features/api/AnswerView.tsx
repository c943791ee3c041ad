import type { ApiAnswer, ApiRequest } from '../../platform/apiClient';
import styles from './Console.module.css';
import { indented } from './jsonText';

/** Status, time and size: what is said aloud of an answer. */
export function AnswerLine({ answer }: { answer: ApiAnswer }) {
  return (
    <p data-answer={answer.status}>
      <strong data-kind={answer.status < 400 ? 'good' : 'bad'}>
        {answer.status} {answer.statusText}
      </strong>{' '}
      <span>{answer.milliseconds} ms</span> <span>{sizeOf(answer.bytes)}</span>
    </p>
  );
}

/** What was asked. The form above may have been changed since. */
export function AskedLine({ request }: { request: ApiRequest }) {
  return (
    <p className={styles.address}>
      <strong>{request.method}</strong> <code>{request.url}</code>
    </p>
  );
}

/** Headers and body of an answer. Everything in it is shown as text. */
export function AnswerView({ answer }: { answer: ApiAnswer }) {
  return (
    <>
      <details>
        <summary>
          {answer.headers.length} {answer.headers.length === 1 ? 'header' : 'headers'}
        </summary>
        <dl>
          {answer.headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {answer.body === '' ? (
        <p>The answer has no body.</p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <pre
          role="group"
          aria-label="Body of the answer"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
          tabIndex={0}
        >
          {indented(answer.body) ?? answer.body}
        </pre>
      )}
      {answer.isCut && <p>This is its beginning; the rest is not shown.</p>}
    </>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
}
