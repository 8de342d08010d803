/** The schedules as a table. */

import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';

import { allBoards, toJob, toQueue } from '../api/boards.ts';
import { useAllowed } from '../actions/perform.ts';
import { dayAndTime, duration } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { StateIcon, stateName } from '../kit/states.tsx';
import { Table } from '../kit/table.tsx';
import { Unknown, When } from '../kit/text.tsx';
import { serverNow } from '../live/server-time.ts';
import { runAction, runNow, titleOf } from './commands.ts';
import type { CronWords } from './cron-words.ts';
import type { ScheduleRow } from './rows.ts';
import style from './schedules.module.css';

/** A run that has begun. */
interface Outcome {
  readonly jobId: string;
  readonly state: string;
  /** When it was due; undefined where the engine does not tell. */
  readonly due: number | undefined;
}

/** Runs that are shown. */
const most = 5;

const ended: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled', undefined]);

/** Milliseconds between two reads, while the last job has not ended, and otherwise. */
const [pendingMs, endedMs] = [5_000, 60_000];

async function runsOf(
  { board, queue: queueName, key: schedulerId, lastJobId: id }: ScheduleRow,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  if (board.engine === 'kvq') {
    const { runs } = await board.client.call(
      'GET /api/queues/{queueName}/job-schedulers/{schedulerId}/runs',
      { params: { queueName, schedulerId }, query: { limit: most }, signal },
    );
    return runs.map(({ jobId, status, dueOn }) => ({ jobId, state: status, due: dueOn }));
  }
  // pg-boss keeps the id of the last job alone. A search for an id answers with nothing where the job is gone.
  if (id === undefined) return [];
  const { jobs } = await board.client.call('GET /api/pgq/search', {
    query: { id, queues: queueName, limit: '1' },
    signal,
  });
  return jobs.map(({ state }) => ({ jobId: id, state, due: undefined }));
}

/** The last runs of a schedule whose jobs are stored, newest first. */
const outcomesOf = (row: ScheduleRow) =>
  queryOptions({
    // The next run changes when one has begun.
    // No command repeats it: a schedule that has been removed has no runs to ask for.
    queryKey: ['outcomes', row.board.basePath, row.queue, row.key, row.next, row.lastJobId],
    queryFn: ({ signal }) => runsOf(row, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    // A job that has ended stays as it is; many rows would ask for nothing.
    refetchInterval: ({ state }) => (ended.has(state.data?.[0]?.state) ? endedMs : pendingMs),
  });

interface Doing {
  readonly words: CronWords;
  readonly onEdit: (row: ScheduleRow) => void;
  readonly onRemove: (row: ScheduleRow) => void;
}

export function ScheduleTable({
  rows,
  ...doing
}: { readonly rows: readonly ScheduleRow[] } & Doing) {
  return (
    <Table
      caption={t('schedules.title')}
      className={`rows stacked ${style['table']}`}
      kind="queue"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'schedules.col.key',
          names: true,
          cell: ({ key, name }) => (
            <>
              <span className="mono" title={key}>
                {key === '' ? '–' : key}
              </span>
              {name !== undefined && <small> {name}</small>}
            </>
          ),
        },
        {
          title: 'schedules.col.queue',
          cell: ({ board, queue, queueTitle }) => (
            <>
              <Link {...toQueue(board, queue)} data-row-link title={queue}>
                {queueTitle}
              </Link>
              {allBoards.length > 1 && <small> {board.title}</small>}
            </>
          ),
        },
        {
          title: 'schedules.col.when',
          className: style['when'],
          cell: (row) => <Timing row={row} words={doing.words} />,
        },
        {
          title: 'schedules.col.zone',
          leaves: 1,
          // Without a zone, the one of the process that adds the runs counts, which the board does not know.
          cell: ({ zone, kind }) => zone ?? (kind === 'every' ? '' : <Unknown />),
        },
        {
          title: 'schedules.col.next',
          cell: ({ next, nextRuns, zone }) => (
            <span title={nextRuns.map((run) => dayAndTime(run, zone)).join('\n')}>
              <When time={next} />
            </span>
          ),
        },
        { title: 'schedules.col.last', leaves: 2, cell: (row) => <Last row={row} /> },
        {
          title: 'schedules.actions',
          untitled: true,
          className: style['actions'],
          cell: (row) => <Commands row={row} {...doing} />,
        },
      ]}
    />
  );
}

function Commands({ row, onEdit, onRemove }: { readonly row: ScheduleRow } & Doing) {
  const { board, queue, abilities, readOnly } = row;
  const [pending, setPending] = useState(false);
  const may = useAllowed(board, queue, row.allowed);
  const title = titleOf(row);
  const run = async () => {
    setPending(true);
    await runNow(row);
    setPending(false);
  };
  if (readOnly) return null;
  return (
    <>
      {abilities.run && may(runAction(row)) && (
        <Button
          icon="play"
          pending={pending}
          aria-label={t('schedules.runLabel', { schedule: title })}
          onClick={() => void run()}
        >
          {t('schedules.run')}
        </Button>
      )}
      {abilities.edit && may('schedule.write') && (
        <IconButton
          icon="edit"
          label={t('schedules.editTitle', { schedule: title })}
          onClick={() => onEdit(row)}
        />
      )}
      {abilities.remove && may('schedule.remove') && (
        <IconButton
          icon="trash"
          label={t('schedules.removeLabel', { schedule: title })}
          onClick={() => onRemove(row)}
        />
      )}
    </>
  );
}

/** An expression with its meaning, or an interval. */
function Timing({ row, words }: { readonly row: ScheduleRow; readonly words: CronWords }) {
  if (row.every !== undefined) return t('schedules.every', { every: duration(row.every) });
  const said = row.kind === 'cron' ? words(row.expression) : undefined;
  return (
    <span title={said}>
      <code dir="ltr">{row.expression}</code>
      {said !== undefined && <span className={style['words']}>{said}</span>}
    </span>
  );
}

/** The last runs: the newest with its time, the earlier ones as their states. */
function Last({ row }: { readonly row: ScheduleRow }) {
  const { board, queue, allowed, last, lastJobId } = row;
  const mayRead = useAllowed(board, queue, allowed)('job.read');
  const { data: outcomes = [], isLoading } = useQuery({ ...outcomesOf(row), enabled: mayRead });
  const [newest, ...earlier] = outcomes;
  if (!newest) {
    if (last !== undefined) return <When time={last} />;
    // Its job is gone.
    if (lastJobId !== undefined) return t('schedules.lastGone');
    return mayRead && !isLoading ? <NeverRan row={row} /> : <Unknown />;
  }
  const time = newest.due ?? last;
  return (
    <span className={style['last']}>
      <RunLink row={row} run={newest}>
        {time === undefined ? t('schedules.lastJob') : <When time={time} />}
      </RunLink>
      {earlier.map((run) => (
        <RunLink key={run.jobId} row={row} run={run} />
      ))}
    </span>
  );
}

/** Why a schedule has no runs. */
function NeverRan({ row: { kvq, next, keepsLast } }: { readonly row: ScheduleRow }) {
  if (!keepsLast) return <Unknown />;
  if (next !== undefined) {
    return (
      <span className={style['words']}>
        {t('schedules.notYet')} <When time={next} />
      </span>
    );
  }
  const isOver = kvq?.endDate !== undefined && kvq.endDate < serverNow();
  return (
    <span className={style['words']}>
      {t(isOver ? 'schedules.neverEnded' : 'schedules.neverNext')}
    </span>
  );
}

function RunLink({
  row: { board, queue },
  run: { jobId, state, due },
  children,
}: {
  readonly row: ScheduleRow;
  readonly run: Outcome;
  readonly children?: ReactNode;
}) {
  const named = due === undefined ? stateName(state) : `${stateName(state)}, ${dayAndTime(due)}`;
  return (
    <Link className={style['run']} {...toJob(board, queue, jobId)} title={named}>
      <StateIcon state={state} size={12} />
      <span className="visually-hidden">{children ? stateName(state) : named}</span>
      {children}
    </Link>
  );
}
