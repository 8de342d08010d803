/** The processes that run pg-boss, and their workers. */

import { Link } from '@tanstack/react-router';

import { toQueue } from '../api/boards.ts';
import { age, instant } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import style from '../kit/list.module.css';
import { Note } from '../kit/panel.tsx';
import { Table, columnsOf } from '../kit/table.tsx';
import type { Column } from '../kit/table.tsx';
import { Unknown, When } from '../kit/text.tsx';
import { useClock } from '../live/clock.ts';
import type { Process, Processes } from './data.ts';

type Matches = (...parts: readonly (string | null)[]) => boolean;

export function ProcessTables({
  board,
  processes,
  matches,
}: Processes & { readonly matches: Matches }) {
  if (processes === undefined) return null;
  if (processes === null) return <Note>{t('workers.older')}</Note>;
  if (processes.length === 0) return <Note>{t('workers.noProcess')}</Note>;
  const title = t('workers.processes', { board: board.title });
  const workers = processes
    .flatMap((process) =>
      process.workers.map((worker) => ({
        ...worker,
        process: nameOf(process),
        host: process.host,
        live: process.live,
      })),
    )
    .filter(({ queueName, process, host }) => matches(queueName, process, host))
    .toSorted((left, right) => left.queueName.localeCompare(right.queueName));
  const shown = processes.filter((process) =>
    matches(
      nameOf(process),
      process.host,
      process.version,
      ...process.workers.map(({ queueName }) => queueName),
    ),
  );
  if (shown.length === 0) return null;
  return (
    <section className={style['part']} aria-label={title}>
      <h2>
        {title} <small>{shown.length}</small>
      </h2>
      <Table
        caption={title}
        className={`rows ${style['table']}`}
        rows={shown}
        keyOf={({ id }) => id}
        // Without a name of its own, a process is named after its host.
        columns={shown.some(({ name }) => name !== null) ? namedColumns : columns}
      />
      {workers.length > 0 && (
        <Table
          caption={t('workers.title')}
          className={`rows ${style['table']}`}
          rows={workers}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'workers.worker',
              names: true,
              cell: ({ process, id }) => (
                <>
                  {process} <small className="mono">{id.slice(0, 8)}</small>
                </>
              ),
            },
            {
              title: 'workers.queue',
              cell: ({ queueName }) => (
                <Link {...toQueue(board, queueName)} data-row-link>
                  {queueName}
                </Link>
              ),
            },
            {
              title: 'workers.jobs',
              end: true,
              cell: ({ live, active, batchSize, localConcurrency }) =>
                live ? (
                  t('workers.jobsOf', { active, most: batchSize * localConcurrency })
                ) : (
                  <Unknown />
                ),
            },
            {
              title: 'workers.fetched',
              cell: ({ lastFetchedOn }) => <When time={instant(lastFetchedOn)} />,
            },
            {
              title: 'workers.ended',
              cell: ({ lastJobEndedOn }) => <When time={instant(lastJobEndedOn)} />,
            },
            {
              title: 'workers.failedAt',
              tone: ({ lastErrorOn }) => (lastErrorOn === null ? undefined : 'danger'),
              cell: ({ lastErrorOn }) => <When time={instant(lastErrorOn)} />,
            },
          ]}
        />
      )}
    </section>
  );
}

const nameOf = ({ name, host, pid }: Process): string => name ?? `${host}:${pid}`;

const stateOf = ({ live, stoppedOn }: Process) =>
  live ? 'live' : stoppedOn === null ? 'silent' : 'stopped';

const signs = { live: 'tick', silent: 'warn', stopped: 'slash' } as const;

function NoHeartbeat({ since = 0 }: { readonly since: number | undefined }) {
  return useClock((now) => t('workers.noHeartbeat', { time: age(now - since) }));
}

const columnsFor = (named: boolean): readonly Column<Process>[] =>
  columnsOf([
    {
      title: 'workers.process',
      names: true,
      cell: (process) => (
        <>
          {nameOf(process)}
          {process.crashRestarts > 0 && (
            <small>{t('workers.restarts', { count: process.crashRestarts })}</small>
          )}
        </>
      ),
    },
    {
      title: 'workers.state',
      plain: true,
      tone: (process) => (stateOf(process) === 'silent' ? 'danger' : undefined),
      cell: (process) => (
        <span className={style['sign']}>
          <Icon name={signs[stateOf(process)]} size={12} />
          {stateOf(process) === 'silent' ? (
            <NoHeartbeat since={instant(process.heartbeatOn)} />
          ) : (
            t(`workers.${process.live ? 'live' : 'stopped'}`)
          )}
        </span>
      ),
    },
    named && {
      title: 'workers.host',
      cell: ({ host, pid }) => (
        <code>
          {host} · {pid}
        </code>
      ),
    },
    { title: 'workers.version', cell: ({ version }) => `pg-boss ${version}` },
    {
      title: 'workers.pool',
      tone: ({ pool }) => (pool && pool.waiting > 0 ? 'warn' : undefined),
      cell: ({ pool }) =>
        pool ? (
          <>
            {t('workers.poolOf', { used: pool.total - pool.idle, max: pool.max })}
            {pool.waiting > 0 && ` · ${t('workers.poolWaiting', { count: pool.waiting })}`}
          </>
        ) : (
          <Unknown />
        ),
    },
    { title: 'workers.since', cell: ({ startedOn }) => <When time={instant(startedOn)} /> },
    { title: 'workers.heartbeat', cell: ({ heartbeatOn }) => <When time={instant(heartbeatOn)} /> },
  ]);

const [columns, namedColumns] = [columnsFor(false), columnsFor(true)];
