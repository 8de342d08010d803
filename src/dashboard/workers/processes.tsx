/** The processes that run pg-boss, and their workers. */

import { Link } from '@tanstack/react-router';
import { useRef } from 'react';

import { instant } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import style from '../kit/list.module.css';
import { Note } from '../kit/panel.tsx';
import { useRowKeys } from '../kit/row-keys.ts';
import { Unknown, When } from '../kit/text.tsx';
import type { Process, Processes } from './data.ts';

type Matches = (...parts: readonly (string | null)[]) => boolean;

export function ProcessTables({
  board,
  processes,
  matches,
}: Processes & { readonly matches: Matches }) {
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
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
  // Without a name of its own, a process is named after its host.
  const named = shown.some(({ name }) => name !== null);
  return (
    <section className={style['part']} aria-label={title}>
      <h2>
        {title} <small>{shown.length}</small>
      </h2>
      <table className={`rows ${style['table']}`}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('workers.process')}</th>
            <th scope="col">{t('workers.state')}</th>
            {named && <th scope="col">{t('workers.host')}</th>}
            <th scope="col">{t('workers.version')}</th>
            <th scope="col">{t('workers.pool')}</th>
            <th scope="col">{t('workers.since')}</th>
            <th scope="col">{t('workers.heartbeat')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((process) => (
            <ProcessLine key={process.id} process={process} named={named} />
          ))}
        </tbody>
      </table>
      {workers.length > 0 && (
        <table ref={table} className={`rows ${style['table']}`}>
          <caption className="visually-hidden">{t('workers.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('workers.worker')}</th>
              <th scope="col">{t('workers.queue')}</th>
              <th scope="col" data-end>
                {t('workers.jobs')}
              </th>
              <th scope="col">{t('workers.fetched')}</th>
              <th scope="col">{t('workers.ended')}</th>
              <th scope="col">{t('workers.failedAt')}</th>
            </tr>
          </thead>
          <tbody>
            {workers.map((worker) => (
              <tr key={worker.id}>
                <th scope="row">
                  {worker.process} <small className="mono">{worker.id.slice(0, 8)}</small>
                </th>
                <td data-label={t('workers.queue')}>
                  <Link
                    to="/queue/$queueName"
                    params={{ queueName: worker.queueName }}
                    search={{ board: board.param }}
                    data-row-link
                  >
                    {worker.queueName}
                  </Link>
                </td>
                <td data-end data-label={t('workers.jobs')}>
                  {worker.live ? (
                    t('workers.jobsOf', {
                      active: worker.active,
                      most: worker.batchSize * worker.localConcurrency,
                    })
                  ) : (
                    <Unknown />
                  )}
                </td>
                <td data-label={t('workers.fetched')}>
                  <When time={instant(worker.lastFetchedOn)} />
                </td>
                <td data-label={t('workers.ended')}>
                  <When time={instant(worker.lastJobEndedOn)} />
                </td>
                <td
                  data-label={t('workers.failedAt')}
                  data-tone={worker.lastErrorOn === null ? undefined : 'danger'}
                >
                  <When time={instant(worker.lastErrorOn)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const nameOf = ({ name, host, pid }: Process): string => name ?? `${host}:${pid}`;

function ProcessLine({ process, named }: { readonly process: Process; readonly named: boolean }) {
  const { host, pid, version, live, startedOn, stoppedOn, heartbeatOn, pool, crashRestarts } =
    process;
  const state = live ? 'live' : stoppedOn === null ? 'silent' : 'stopped';
  return (
    <tr>
      <th scope="row">
        {nameOf(process)}
        {crashRestarts > 0 && <small>{t('workers.restarts', { count: crashRestarts })}</small>}
      </th>
      <td data-tone={state === 'silent' ? 'danger' : undefined}>
        <span className={style['sign']}>
          <Icon name={live ? 'tick' : state === 'silent' ? 'warn' : 'slash'} size={12} />
          {t(`workers.${state}`)}
        </span>
      </td>
      {named && (
        <td className="mono" data-label={t('workers.host')}>
          {host} · {pid}
        </td>
      )}
      <td data-label={t('workers.version')}>pg-boss {version}</td>
      <td data-label={t('workers.pool')} data-tone={pool && pool.waiting > 0 ? 'warn' : undefined}>
        {pool === null ? (
          <Unknown />
        ) : (
          <>
            {t('workers.poolOf', { used: pool.total - pool.idle, max: pool.max })}
            {pool.waiting > 0 && ` · ${t('workers.poolWaiting', { count: pool.waiting })}`}
          </>
        )}
      </td>
      <td data-label={t('workers.since')}>
        <When time={instant(startedOn)} />
      </td>
      <td data-label={t('workers.heartbeat')}>
        <When time={instant(heartbeatOn)} />
      </td>
    </tr>
  );
}
