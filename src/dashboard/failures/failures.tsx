/** Failed attempts of the last day, grouped by their error: how often, per hour, where, and since when. */

import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { keepPreviousData, queryOptions, useQueries } from '@tanstack/react-query';

import texts from '../i18n/messages/en/failures.json';
import { toQueue } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import { addTexts, t } from '../i18n/index.ts';
import { Empty, Failed, Note, Skeleton } from '../kit/panel.tsx';
import { Spark } from '../kit/spark.tsx';
import { columnsOf, Table } from '../kit/table.tsx';
import type { Column } from '../kit/table.tsx';
import { Count, When } from '../kit/text.tsx';
import { useMinute } from '../live/minute.ts';
import { longestPart } from '../queue/jobs.ts';
import type { Answer } from '../api/client.ts';
import style from './failures.module.css';

type Group = Answer<'GET /api/metrics/errors'>['errors'][number];

const hourMs = 3_600_000;
const hours = 24;

/** An error of a board. */
interface Failure {
  readonly id: string;
  readonly board: Board;
  /** Its name: the first line of the reason without what differs from job to job. */
  readonly error: string;
  readonly example: string;
  readonly queues: readonly string[];
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Attempts per hour of the last day, oldest first. */
  readonly perHour: readonly number[];
}

const errorsOf = ({ basePath, client }: Board, queue: string | undefined, minute: number) =>
  queryOptions({
    ...client.read('GET /api/metrics/errors', { query: { queue } }),
    queryKey: [basePath, 'failures', queue, minute],
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

function failureOf(board: Board, group: Group, now: number): Failure {
  const last = Math.floor(now / hourMs) * hourMs;
  const known = new Map(group.hours.map(({ ts, value }) => [ts, value]));
  const perHour = Array.from(
    { length: hours },
    (_, index) => known.get(last - (hours - 1 - index) * hourMs) ?? 0,
  );
  return { ...group, id: `${board.basePath} ${group.error}`, board, perHour };
}

/** The errors of the boards, or of one queue; the most frequent first. */
function useFailures(boards: readonly Board[], queue: string | undefined, minute: number) {
  const answers = useQueries({ queries: boards.map((board) => errorsOf(board, queue, minute)) });
  const failed = answers.find(({ error }) => error !== null);
  return {
    failures: boards
      .flatMap((board, at) =>
        (answers[at]?.data?.errors ?? []).map((group) => failureOf(board, group, minute)),
      )
      .toSorted((left, right) => right.count - left.count),
    loading: answers.some(({ isPending }) => isPending),
    error: failed?.error ?? undefined,
    /** Whether what is shown could not be read again. */
    stale: failed?.data !== undefined,
    retry: () => answers.forEach(({ refetch }) => void refetch()),
  };
}

addTexts(texts);

/** Queues of an error that are named. */
const namedQueues = 3;

/** @param queue shows the errors of this queue alone */
export function Failures({
  boards,
  queue,
  filter = '',
}: {
  readonly boards: readonly Board[];
  readonly queue?: string | undefined;
  readonly filter?: string;
}) {
  const { failures, loading, error, stale, retry } = useFailures(boards, queue, useMinute());
  const columns = useMemo(() => columnsFor(queue), [queue]);
  const matching = failures.filter(
    (each) =>
      filter === '' ||
      [each.error, each.example, ...each.queues].some((text) =>
        text.toLowerCase().includes(filter),
      ),
  );
  if (loading) return <Skeleton rows={4} />;
  if (error !== undefined && !stale) return <Failed error={error} retry={retry} />;
  if (matching.length === 0) {
    return filter === '' ? (
      <Empty icon="tick" title={t('failures.none')}>
        {t('failures.noneNext')}
      </Empty>
    ) : (
      <Empty icon="search" title={t('failures.noMatch')} />
    );
  }
  return (
    <div className={style['failures']}>
      {stale && <Note tone="warn">{t('failures.stale')}</Note>}
      <Table
        caption={t('failures.title')}
        className={`rows stacked errors ${style['table']}`}
        columns={columns}
        rows={matching}
        keyOf={({ id }) => id}
      />
    </div>
  );
}

/** The failed jobs of a queue with this error. */
const jobsOf = ({ board, error, example }: Failure, queueName: string) =>
  toQueue(board, queueName, {
    state: 'failed',
    // The board writes `<n>` for what differs.
    q: `error ~ ${JSON.stringify(longestPart(firstLine(example), error.replaceAll(/<\w+>/g, '…')))}`,
  });

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

const columnsFor = (queue: string | undefined): readonly Column<Failure>[] =>
  columnsOf([
    {
      title: 'failures.count',
      className: style['count'],
      end: true,
      cell: ({ count }) => <Count value={count} />,
    },
    {
      title: 'failures.error',
      names: true,
      cell: (failure) => (
        <Link
          {...jobsOf(failure, queue ?? failure.queues[0] ?? '')}
          data-row-link
          title={failure.example}
        >
          {firstLine(failure.example)}
        </Link>
      ),
    },
    {
      title: 'failures.hours',
      className: style['hours'],
      cell: ({ perHour }) => <Spark values={perHour} label={t('failures.hours')} />,
    },
    queue === undefined && {
      title: 'failures.queues',
      className: `several ${style['queues']}`,
      cell: (failure) => (
        <>
          {failure.queues.slice(0, namedQueues).map((name) => (
            <Link key={name} {...jobsOf(failure, name)}>
              {name}
            </Link>
          ))}
          {failure.queues.length > namedQueues && (
            <span>{t('failures.more', { count: failure.queues.length - namedQueues })}</span>
          )}
        </>
      ),
    },
    {
      title: 'failures.first',
      className: style['first'],
      cell: ({ firstAt }) => <When time={firstAt} />,
    },
    {
      title: 'failures.last',
      className: style['last'],
      cell: ({ lastAt }) => <When time={lastAt} />,
    },
  ]);
