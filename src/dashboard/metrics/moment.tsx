/** The jobs of a moment that was chosen in a chart. */

import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { toJob } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import { findJobs } from '../api/found-jobs.ts';
import { exactTime, timeOfDay } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { IconButton } from '../kit/button.tsx';
import { Empty, Failed, Skeleton } from '../kit/panel.tsx';
import { StateMark } from '../kit/states.tsx';
import { Table } from '../kit/table.tsx';
import type { Span } from './ranges.ts';
import style from './metrics.module.css';

/** Jobs that are listed. */
const most = 50;

/** BullMQ and Bull find jobs by the time they were added, pg-boss also by the time they finished. */
const jobsOf = (board: Board, queue: string | undefined, { from, to }: Span) =>
  queryOptions({
    queryKey: [board.basePath, 'metrics', 'jobs', queue, from, to],
    queryFn: ({ signal }) => {
      const span =
        board.engine === 'pgq'
          ? {
              'filter[completedOn][gte]': new Date(from).toISOString(),
              'filter[completedOn][lte]': new Date(to).toISOString(),
            }
          : { from: String(from), to: String(to) };
      return findJobs(board, queue, { ...span, limit: String(most) }, signal);
    },
    staleTime: 30_000,
  });

export function Moment({
  board,
  queue,
  moment,
  close,
}: {
  readonly board: Board;
  readonly queue: string | undefined;
  readonly moment: Span;
  readonly close: () => void;
}) {
  const place = useRef<HTMLElement>(null);
  const { data, error, isPending, refetch } = useQuery(jobsOf(board, queue, moment));
  const title = t(board.engine === 'pgq' ? 'metrics.finishedIn' : 'metrics.addedIn', {
    from: timeOfDay(moment.from).slice(0, 5),
    to: timeOfDay(moment.to + 1).slice(0, 5),
  });
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [moment.from]);
  return (
    <section ref={place} className={style['panel']} aria-label={title}>
      <header className={style['head']}>
        <h2>{title}</h2>
        {data?.length === most && (
          <span className={style['note']}>{t('metrics.first', { count: most })}</span>
        )}
        <IconButton icon="cross" label={t('close')} onClick={close} />
      </header>
      {isPending && <Skeleton rows={3} />}
      {error && !data && <Failed error={error} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty title={t('metrics.noJobs')}>{t('metrics.noJobsNext')}</Empty>}
      {data && data.length > 0 && (
        <div className={style['scroll']} role="region" aria-label={title} tabIndex={0}>
          <Table
            caption={title}
            className={`${style['figures']} ${style['moment']}`}
            rows={data}
            keyOf={(job) => `${job.queue} ${job.id}`}
            columns={[
              {
                title: 'metrics.job',
                names: true,
                cell: ({ queue: queueName, id, name }) => (
                  <Link {...toJob(board, queueName, id)}>{name === '' ? id : `${name} ${id}`}</Link>
                ),
              },
              { title: 'metrics.queue', cell: (job) => job.queue },
              { title: 'metrics.state', cell: ({ state }) => <StateMark state={state} /> },
              {
                title: 'metrics.why',
                cell: ({ reason }) => <span title={reason}>{reason?.split('\n')[0]}</span>,
              },
              {
                title: 'metrics.time',
                cell: ({ at }) =>
                  at !== undefined && <time title={exactTime(at)}>{timeOfDay(at)}</time>,
              },
            ]}
          />
        </div>
      )}
    </section>
  );
}
