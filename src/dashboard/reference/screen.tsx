/** The API of a board: its routes by subject, from the document that the board itself serves. */

import texts from '../i18n/messages/en/reference.json';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useRef } from 'react';

import { allBoards, useBoard } from '../api/boards.ts';
import { addTexts, t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Filter } from '../kit/filter.tsx';
import { Empty, Failed, Skeleton } from '../kit/panel.tsx';
import { useRowKeys } from '../kit/row-keys.ts';
import { useTitle } from '../kit/title.ts';
import { useChangeView, useView } from '../view.ts';
import { documentOf, operationsOf } from './document.ts';
import { OperationView } from './operation.tsx';
import style from './reference.module.css';

addTexts(texts);

export function Screen() {
  const board = useBoard();
  const view = useView();
  const changeView = useChangeView();
  const at = useRef<HTMLDivElement>(null);
  useRowKeys(at);
  useTitle(t('reference.title'));
  const { data: document, error, isPending, refetch } = useQuery(documentOf(board));
  const operations = useMemo(() => (document ? operationsOf(document) : []), [document]);
  const text = useDeferredValue((view.q ?? '').trim().toLowerCase());
  const matching = operations.filter(
    ({ id, tag, method, path, summary }) =>
      (view.type === undefined || tag === view.type) &&
      (text === '' ||
        [id, `${method} ${path}`, summary].some((part) => part.toLowerCase().includes(text))),
  );
  const tags = document?.tags ?? [];
  return (
    <main className="screen">
      <div className="bar">
        <h1>
          {t('reference.title')} {document && <small>{document.info.version}</small>}
        </h1>
        <Filter
          value={view.q ?? ''}
          label={t('reference.filter')}
          onChange={(q) => changeView({ q: q || undefined }, { replace: true })}
        />
        {allBoards.length > 1 && (
          <label className="pick">
            <span>{t('reference.board')}</span>
            <select
              value={board.basePath}
              onChange={({ target }) =>
                changeView({
                  board: allBoards.find(({ basePath }) => basePath === target.value)?.param,
                  key: undefined,
                })
              }
            >
              {allBoards.map(({ basePath, title }) => (
                <option key={basePath} value={basePath}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        <a href={board.client.url('/api/openapi.json')} download="openapi.json">
          {t('reference.download')}
        </a>
      </div>
      {document && (
        <div className={`segments ${style['tags']}`} role="group" aria-label={t('reference.tags')}>
          {[undefined, ...tags.map(({ name }) => name)].map((name) => (
            <button
              key={name ?? ''}
              type="button"
              aria-pressed={view.type === name}
              onClick={() => changeView({ type: name })}
            >
              {name ?? t('reference.all')}
            </button>
          ))}
        </div>
      )}
      <div ref={at} className={style['parts']}>
        {isPending ? (
          <Skeleton />
        ) : error && !document ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : matching.length === 0 ? (
          <Empty icon="search" title={t('reference.noMatch')}>
            <Button onClick={() => changeView({ q: undefined, type: undefined })}>
              {t('clearFilters')}
            </Button>
          </Empty>
        ) : (
          tags.map(({ name, description }) => {
            const own = matching.filter(({ tag }) => tag === name);
            if (own.length === 0 || !document) return null;
            return (
              <section key={name} aria-label={name}>
                <h2>
                  {name} <small lang="en">{description}</small>
                </h2>
                <ul className={style['operations']}>
                  {own.map((operation) => (
                    <OperationView
                      key={operation.id}
                      board={board}
                      document={document}
                      operation={operation}
                      open={view.key === operation.id}
                      onToggle={() =>
                        changeView(
                          { key: view.key === operation.id ? undefined : operation.id },
                          { replace: true },
                        )
                      }
                    />
                  ))}
                </ul>
              </section>
            );
          })
        )}
      </div>
    </main>
  );
}
