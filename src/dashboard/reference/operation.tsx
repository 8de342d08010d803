/** A route: its parameters, body, answers and errors, and how to call it. */

import { useEffect, useId, useRef } from 'react';

import type { Board } from '../api/boards.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { copyText } from '../kit/copy.ts';
import { Icon } from '../kit/icon.tsx';
import { curlOf } from './curl.ts';
import type { OpenApiDocument, Operation, Schema } from './document.ts';
import { Member, Members, typeOf } from './schema-view.tsx';
import { Lines } from './words.tsx';
import style from './reference.module.css';

export function OperationView({
  board,
  document,
  operation,
  open,
  onToggle,
}: {
  readonly board: Board;
  readonly document: OpenApiDocument;
  readonly operation: Operation;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const at = useRef<HTMLLIElement>(null);
  const id = useId();
  const { method, path, summary } = operation;
  useEffect(() => {
    // A link to a route leads to it.
    if (open) at.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <li ref={at} className={style['operation']}>
      <h3>
        <button
          type="button"
          data-row-link
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
        >
          <Icon name={open ? 'down' : 'right'} size={12} />
          <span className={style['method']} data-method={method}>
            {method}
          </span>
          <code>{path}</code>
          <span className={style['summary']} lang="en" dir="ltr">
            {summary}
          </span>
        </button>
      </h3>
      {/* The document is English, in every language of the page. */}
      <div id={id} hidden={!open} className={style['inside']} lang="en" dir="ltr">
        {open && <Details board={board} document={document} operation={operation} />}
      </div>
    </li>
  );
}

function Details({
  board,
  document,
  operation,
}: {
  readonly board: Board;
  readonly document: OpenApiDocument;
  readonly operation: Operation;
}) {
  const { parameters, body, answers, description, summary, path } = operation;
  const curl = curlOf(board, document, operation);
  const isError = (status: string): boolean => Number(status) >= 400;
  return (
    <>
      <p className={style['lead']}>{summary}.</p>
      <Lines text={description} />
      <div className={style['curl']}>
        <pre tabIndex={0} aria-label={t('reference.curl')}>
          {curl}
        </pre>
        <Button icon="copy" onClick={() => void copyText(curl, path)}>
          {t('reference.copyCurl')}
        </Button>
      </div>
      {parameters.length > 0 && (
        <section>
          <h4>{t('reference.parameters')}</h4>
          <ul className={style['members']}>
            {parameters.map(({ name, schema, required, description: text, in: place }) => (
              <Member
                key={`${place} ${name}`}
                document={document}
                name={name}
                schema={schema as Schema}
                required={required}
                description={text}
              />
            ))}
          </ul>
        </section>
      )}
      {body && (
        <section>
          <h4>
            {t('reference.body')} <small>{typeOf(document, body)}</small>
          </h4>
          <Members document={document} schema={body} />
        </section>
      )}
      {answers
        .filter(({ status }) => !isError(status))
        .map(({ status, bodies }) => (
          <section key={status}>
            <h4>
              {t('reference.answer')} {status}
              {bodies.map(({ media, schema }) => (
                <small key={media}>
                  {' '}
                  {media} {typeOf(document, schema)}
                </small>
              ))}
            </h4>
            {bodies[0] && <Members document={document} schema={bodies[0].schema} />}
          </section>
        ))}
      <section>
        <h4>{t('reference.errors')}</h4>
        <dl className={style['errors']}>
          {answers
            .filter(({ status }) => isError(status))
            .map(({ status, description: text }) => (
              <div key={status}>
                <dt>{status}</dt>
                <dd>
                  <Lines text={text} />
                </dd>
              </div>
            ))}
        </dl>
      </section>
    </>
  );
}
