/** Who works: the connections and processes of every board, on which queues, since when. */

import { useState } from 'react';
import { Link } from '@tanstack/react-router';

import texts from '../i18n/messages/en/workers.json';
import { keyText } from '../api/error-text.ts';
import { addTexts, t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Filter, useWanted } from '../kit/filter.tsx';
import { BoardFailures, Empty, Note, Skeleton } from '../kit/panel.tsx';
import { useTitle } from '../kit/title.ts';
import { useChangeView } from '../view.ts';
import { queuesPerStep, shownBoards, useConnections, useProcesses } from './data.ts';
import { ProcessTables } from './processes.tsx';
import { RunningJobs } from './running.tsx';
import { allBoards, toQueue } from '../api/boards.ts';
import { age } from '../format/time.ts';
import { Table } from '../kit/table.tsx';
import type { Connections } from './data.ts';
import style from '../kit/list.module.css';

addTexts(texts);

export function Screen() {
  const changeView = useChangeView();
  const [most, setMost] = useState(queuesPerStep);
  const text = useWanted();
  const matches = (...parts: readonly (string | null)[]): boolean =>
    text === '' || parts.some((part) => part?.toLowerCase().includes(text));
  const connections = useConnections(matches, most);
  const processes = useProcesses();
  useTitle(t('workers.title'));

  const boards = [...connections, ...processes];
  const loading = boards.some((each) => each.loading);
  const unread = connections.reduce((sum, { worked }) => sum + worked, 0) - most;
  const count =
    connections.flatMap(({ queues }) => queues.flatMap((each) => each.connections)).length +
    processes.flatMap((each) => (each.processes ?? []).flatMap(({ workers }) => workers)).length;
  const known = count > 0 || processes.some((each) => (each.processes ?? []).length > 0);
  return (
    <main className="screen">
      <div className="bar">
        <h1>
          {t('workers.title')} {!loading && unread <= 0 && <small>{count}</small>}
        </h1>
        <Filter label={t('workers.filter')} />
      </div>
      <BoardFailures
        failures={boards.filter(({ error }) => error !== undefined)}
        stale="workers.stale"
      />
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
      {shownBoards.map((board) => (
        <RunningJobs key={board.basePath} board={board} matches={matches} />
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

function ConnectionTable({ board, queues }: Connections) {
  const rows = queues.flatMap(({ name, connections }) =>
    connections.map((connection) => ({ queue: name, ...connection })),
  );
  if (rows.length === 0) return null;
  const title = t('workers.connections', { board: board.title });
  return (
    <section className={style['part']} aria-label={title}>
      {allBoards.length > 1 && (
        <h2>
          {title} <small>{rows.length}</small>
        </h2>
      )}
      <Table
        caption={title}
        className={`rows ${style['table']}`}
        rows={rows}
        keyOf={({ queue, id }) => `${queue} ${id}`}
        columns={[
          {
            title: 'workers.worker',
            names: true,
            cell: ({ name }) => name ?? t('workers.unnamed'),
          },
          {
            title: 'workers.queue',
            cell: ({ queue }) => (
              <Link {...toQueue(board, queue, { tab: 'workers' })} data-row-link>
                {queue}
              </Link>
            ),
          },
          { title: 'workers.address', cell: ({ addr }) => <code>{addr}</code> },
          { title: 'workers.id', cell: ({ id }) => <code>{id}</code> },
          {
            title: 'workers.age',
            end: true,
            cell: ({ age: seconds }) => age(seconds * 1_000),
          },
        ]}
      />
    </section>
  );
}
