/** Who works: the connections and processes of every board, on which queues, since when. */

import texts from '../i18n/messages/en/workers.json';
import { useDeferredValue, useState } from 'react';

import { errorText, keyText } from '../api/error-text.ts';
import { failureOf } from '../api/errors.ts';
import { addTexts, t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Filter } from '../kit/filter.tsx';
import { Empty, Failed, Note, Skeleton } from '../kit/panel.tsx';
import { useTitle } from '../kit/title.ts';
import { useChangeView, useView } from '../view.ts';
import { ConnectionTable } from './connections.tsx';
import { queuesPerStep, useConnections, useProcesses } from './data.ts';
import { ProcessTables } from './processes.tsx';

addTexts(texts);

export function Screen() {
  const view = useView();
  const changeView = useChangeView();
  const [most, setMost] = useState(queuesPerStep);
  const text = useDeferredValue((view.q ?? '').trim().toLowerCase());
  const matches = (...parts: readonly (string | null)[]): boolean =>
    text === '' || parts.some((part) => part?.toLowerCase().includes(text));
  const connections = useConnections(matches, most);
  const processes = useProcesses();
  useTitle(t('workers.title'));

  const boards = [...connections, ...processes];
  const loading = boards.some((each) => each.loading);
  const unread = connections.reduce((sum, { worked }) => sum + worked, 0) - most;
  const count =
    connections.reduce(
      (sum, { queues }) => sum + queues.reduce((all, each) => all + each.connections.length, 0),
      0,
    ) +
    processes.reduce(
      (sum, each) =>
        sum + (each.processes ?? []).reduce((all, { workers }) => all + workers.length, 0),
      0,
    );
  const known = count > 0 || processes.some((each) => (each.processes ?? []).length > 0);
  return (
    <main className="screen">
      <div className="bar">
        <h1>
          {t('workers.title')} {!loading && unread <= 0 && <small>{count}</small>}
        </h1>
        <Filter
          value={view.q ?? ''}
          label={t('workers.filter')}
          onChange={(q) => changeView({ q: q || undefined }, { replace: true })}
        />
      </div>
      {boards.map(({ board, error, stale, retry }) =>
        error === undefined ? null : stale ? (
          <Note key={board.basePath} tone="warn">
            {t('workers.stale', { board: board.title })} {errorText(failureOf(error))}
          </Note>
        ) : (
          <Failed key={board.basePath} error={error} retry={retry} />
        ),
      )}
      {connections.map(({ board, idle, unreported }) => (
        <Idle key={board.basePath} idle={idle} unreported={unreported} />
      ))}
      {connections.map((each) => (
        <ConnectionTable key={each.board.basePath} {...each} />
      ))}
      {unread > 0 && (
        <p>
          <Button onClick={() => setMost(most + queuesPerStep)}>
            {t('workers.more', { count: Math.min(unread, queuesPerStep) })}
          </Button>
        </p>
      )}
      {processes.map((each) => (
        <ProcessTables key={each.board.basePath} {...each} matches={matches} />
      ))}
      {boards.length === 0 ? (
        <Empty icon="lock" title={keyText('WORKERS_DISABLED')} />
      ) : loading && !known ? (
        <Skeleton />
      ) : known || boards.some(({ error }) => error !== undefined) ? null : text === '' ? (
        <Empty icon="warn" title={t('workers.none')}>
          {t('workers.noneNext')}
        </Empty>
      ) : (
        <Empty icon="search" title={t('workers.noMatch')}>
          <Button onClick={() => changeView({ q: undefined })}>{t('clearFilters')}</Button>
        </Empty>
      )}
    </main>
  );
}

/** Names that a note tells. */
const named = 5;

const namesOf = (queues: readonly string[]): string =>
  queues.length > named
    ? t('workers.idleMore', {
        queues: queues.slice(0, named).join(', '),
        count: queues.length - named,
      })
    : queues.join(', ');

function Idle({
  idle,
  unreported,
}: {
  readonly idle: readonly string[];
  readonly unreported: readonly string[];
}) {
  return (
    <>
      {idle.length > 0 && <Note tone="warn">{t('workers.idle', { queues: namesOf(idle) })}</Note>}
      {unreported.length > 0 && (
        <Note>{t('workers.unreported', { queues: namesOf(unreported) })}</Note>
      )}
    </>
  );
}
