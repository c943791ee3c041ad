import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  type ApiAnswer,
  type ApiRequest,
  ApiRequestError,
  sendRequest,
} from '../../platform/apiClient';
import { AnswerLine, AnswerView, AskedLine } from './AnswerView';
import styles from './Console.module.css';
import { bodyCheck, keyCheck, type Problem, parameterCheck, type RequestProblems } from './check';
import { keyStore } from './keyStore';
import type { ConsoleOperation } from './operation';
import { addressOf, type FormValues, firstValues, requestOf } from './request';
import { useSettled } from './useSettled';

type Exchange =
  | { status: 'idle' }
  | { status: 'sending'; cancel: AbortController }
  | { status: 'answered'; request: ApiRequest; answer: ApiAnswer }
  | { status: 'failed'; message: string };

/** The place of a body among the examples that is none of them. */
const EDITED = -1;

/** What was typed into the consoles that were closed since the document was loaded. */
const typed = new Map<string, FormValues>();

/** A form for one operation: filled with its example, held to its schema, sent when asked to. */
export function Console({
  operation,
  name,
  onClose,
}: {
  operation: ConsoleOperation;
  /** What the form is called: a page can have several open, which are alike but for this. */
  name: string;
  onClose(): void;
}) {
  const place = operation.server + operation.id;
  const [values, setValues] = useState(() => typed.get(place) ?? firstValues(operation));
  const [exchange, setExchange] = useState<Exchange>({ status: 'idle' });
  const key = useStore(keyStore, (state) => state.key);
  const id = useId();
  const { settled: body, settle: checkBody } = useSettled(values.body);
  const problems = useProblems(operation, { ...values, body }, key);
  const heading = useRef<HTMLParagraphElement>(null);
  const answered = useRef<HTMLDivElement>(null);
  const running = useRef<AbortController | null>(null);
  const sendButton = useRef<HTMLButtonElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  // What deletes is asked for twice: its form is filled with an example.
  const isDelete = operation.method === 'DELETE';
  const [isSure, setIsSure] = useState(!isDelete);

  useEffect(() => {
    heading.current?.focus();
    return () => running.current?.abort();
  }, []);
  useEffect(() => {
    typed.set(place, values);
  }, [place, values]);
  useEffect(() => {
    if (exchange.status !== 'idle') answered.current?.scrollIntoView({ block: 'nearest' });
  }, [exchange.status]);

  async function send(): Promise<void> {
    if (exchange.status === 'sending') return;
    const unsendable = ofAddress(operation, problems, key)[0];
    if (unsendable) {
      setExchange({ status: 'failed', message: `${unsendable.place}: ${unsendable.message}` });
      return;
    }
    if (!isSure) {
      setIsSure(true);
      // What was said of the last request is not about this one.
      setExchange({ status: 'idle' });
      return;
    }
    setIsSure(!isDelete);
    checkBody();
    const cancel = new AbortController();
    running.current = cancel;
    const end = (ended: Exchange) => {
      if (running.current !== cancel) return;
      // With this, "Cancel" goes, and would take the focus along.
      if (document.activeElement === cancelButton.current) sendButton.current?.focus();
      setExchange(ended);
    };
    setExchange({ status: 'sending', cancel });
    try {
      const request = requestOf(operation, values, key);
      const answer = await sendRequest(request, cancel.signal);
      end({ status: 'answered', request, answer });
    } catch (error) {
      if (!(error instanceof ApiRequestError)) throw error;
      end({ status: 'failed', message: error.message });
    }
  }

  const example = operation.body?.examples.findIndex(({ text }) => text === values.body) ?? EDITED;

  // Any name, beside those of the key and the body.
  const parameterId = (name: string) => `${id}parameter-${name}`;
  const setParameter = (name: string, value: string) => {
    setValues({ ...values, parameters: { ...values.parameters, [name]: value } });
    setIsSure(!isDelete);
  };

  return (
    <form
      className={styles.console}
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }
      }}
    >
      <p className={styles.address} tabIndex={-1} ref={heading}>
        <strong>{operation.method}</strong> <code>{addressOf(operation, values)}</code>
      </p>
      {operation.key && (
        <Field
          id={`${id}key`}
          label={`${operation.key.header}${operation.key.required ? '' : ' (optional)'}`}
          hint="Kept in memory until you leave or reload; sent to this server only."
        >
          <input
            id={`${id}key`}
            {...described(`${id}key`, problems.key)}
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={(event) => keyStore.getState().setKey(event.target.value)}
          />
        </Field>
      )}
      {operation.parameters.map((parameter) => (
        <Field
          key={parameter.name}
          id={parameterId(parameter.name)}
          label={`${parameter.name}${parameter.required ? '' : ' (optional)'}`}
          hint={parameter.description}
        >
          <input
            id={parameterId(parameter.name)}
            {...described(parameterId(parameter.name), problems.parameters.get(parameter.name))}
            type="text"
            autoComplete="off"
            spellCheck={false}
            value={values.parameters[parameter.name] ?? ''}
            onChange={(event) => setParameter(parameter.name, event.target.value)}
          />
        </Field>
      ))}
      {operation.body && (
        <>
          {operation.body.examples.length > 0 && (
            <Field id={`${id}example`} label="Example" hint="">
              <select
                id={`${id}example`}
                value={example}
                onChange={(event) => {
                  setValues({
                    ...values,
                    body: operation.body?.examples[Number(event.target.value)]?.text ?? '',
                  });
                  // It was of another body.
                  if (exchange.status !== 'sending') setExchange({ status: 'idle' });
                }}
              >
                {/* While this is what the list says, choosing any example brings it back as it was. */}
                {example === EDITED && (
                  <option value={EDITED} disabled>
                    Edited
                  </option>
                )}
                {operation.body.examples.map(({ summary }, index) => (
                  <option key={index} value={index}>
                    {summary}
                  </option>
                ))}
              </select>
            </Field>
          )}
          <Field id={`${id}body`} label="Body" hint="">
            <textarea
              id={`${id}body`}
              {...described(`${id}body`, problems.body)}
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="off"
              rows={Math.max(4, linesOf(values.body, 18))}
              value={values.body}
              onChange={(event) => setValues({ ...values, body: event.target.value })}
            />
          </Field>
        </>
      )}
      <Problems
        lists={[
          { of: `${id}key`, problems: problems.key },
          ...[...problems.parameters].map(([name, ofIt]) => ({
            of: parameterId(name),
            problems: ofIt,
          })),
          { of: `${id}body`, problems: problems.body },
        ]}
      />
      <p className={styles.buttons}>
        {/* Not disabled meanwhile: the focus would be lost. */}
        <button
          type="submit"
          className="button"
          aria-disabled={exchange.status === 'sending'}
          ref={sendButton}
        >
          {exchange.status === 'sending' ? 'Sending…' : isSure && isDelete ? 'Delete' : 'Send'}
        </button>
        {exchange.status === 'sending' && (
          <button
            type="button"
            className={styles.quiet}
            onClick={() => exchange.cancel.abort()}
            ref={cancelButton}
          >
            Cancel
          </button>
        )}
        <button type="button" className={styles.quiet} onClick={onClose}>
          Close
        </button>
      </p>
      <div className={styles.answer} ref={answered}>
        {exchange.status === 'answered' && <AskedLine request={exchange.request} />}
        {/* A body may have thousands of lines, and what stands in here is read out to its end. */}
        <div role="status">
          {isSure && isDelete && (
            <p>This deletes for good. Press “Delete” if it is what you want.</p>
          )}
          {exchange.status === 'failed' && <p className={styles.failure}>{exchange.message}</p>}
          {exchange.status === 'answered' && <AnswerLine answer={exchange.answer} />}
        </div>
        {exchange.status === 'answered' && <AnswerView answer={exchange.answer} />}
      </div>
    </form>
  );
}

function useProblems(
  operation: ConsoleOperation,
  values: FormValues,
  key: string,
): RequestProblems {
  const checks = useMemo(
    () => ({
      body: bodyCheck(operation),
      parameters: operation.parameters.map((parameter) => ({
        name: parameter.name,
        check: parameterCheck(parameter, operation),
      })),
    }),
    [operation],
  );
  const body = useMemo(() => checks.body(values.body), [checks, values.body]);
  const parameters = new Map(
    checks.parameters.map(({ name, check }) => [name, check(values.parameters[name] ?? '')]),
  );
  return { key: operation.key ? keyCheck(operation.key)(key) : [], parameters, body };
}

/** The problems with which the address or a header cannot be made; with any other, as without a key, the answer is worth seeing. */
function ofAddress(
  { parameters }: ConsoleOperation,
  problems: RequestProblems,
  key: string,
): Problem[] {
  const ofPath = parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap(({ name }) => problems.parameters.get(name) ?? []);
  return [...(key === '' ? [] : problems.key), ...ofPath];
}

/** How many lines a text has, counted up to `most`. */
function linesOf(text: string, most: number): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && lines < most; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines;
}

/** What a field says of itself: its hint, and what is wrong with it. */
function described(id: string, problems: readonly Problem[] = []) {
  const isInvalid = problems.length > 0;
  return {
    'aria-describedby': isInvalid ? `${id}-hint ${id}-problems` : `${id}-hint`,
    'aria-invalid': isInvalid,
  };
}

function Field({
  id,
  label,
  hint,
  children,
}: {
  id: string;
  label: string;
  hint: string;
  children: React.ReactNode;
}) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children}
      <small id={`${id}-hint`}>{hint}</small>
    </div>
  );
}

/** Said politely, once the reader pauses. A wrong request may be sent all the same: its answer is worth seeing. */
function Problems({ lists }: { lists: { of: string; problems: Problem[] }[] }) {
  const wrong = lists.filter(({ problems }) => problems.length > 0);
  const count = wrong.reduce((sum, { problems }) => sum + problems.length, 0);
  return (
    <div aria-live="polite" className={styles.problems} data-problems={count}>
      {count > 0 && <p>Problems in this request:</p>}
      {wrong.map(({ of, problems }) => (
        <ul key={of} id={`${of}-problems`}>
          {problems.map(({ place, message }) => (
            <li key={`${place} ${message}`}>
              {place !== '' && <code>{place}</code>} {message}
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}
