/** The jobs that run: on which worker, for how long, and whether that is longer than usual. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { toJob, toQueue } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import { failureOf } from '../api/errors.ts';
import { age, duration } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Failed, Note } from '../kit/panel.tsx';
import style from '../kit/list.module.css';
import { Table, columnsOf } from '../kit/table.tsx';
import { Since, Unknown } from '../kit/text.tsx';
import { runningOf } from './data.ts';
import type { Running } from './data.ts';

interface Row {
  readonly queue: string;
  readonly usual: Running['usual'];
  readonly job: Running['jobs'][number];
}

/** A job is conspicuous when it runs this many times as long as usual, and at least so long. */
const [times, leastMs] = [5, 10_000];

const isLong = ({ job: { startedOn }, usual }: Row, at: number): boolean =>
  startedOn !== null && usual !== null && at - startedOn > Math.max(leastMs, times * usual.ms);

export function RunningJobs({
  board,
  queueName,
  matches = () => true,
}: {
  readonly board: Board;
  /** One queue; all of them without it. */
  readonly queueName?: string;
  readonly matches?: (...parts: readonly (string | null)[]) => boolean;
}) {
  const { data, error, refetch } = useQuery(runningOf(board, queueName));
  if (error && !data) {
    // Who may not read jobs is not told of any.
    if (failureOf(error).status === 403) return null;
    return <Failed error={error} retry={() => void refetch()} />;
  }
  if (!data) return null;
  const { at, others } = data;
  const rows = data.queues.flatMap(({ queueName: queue, usual, jobs }) =>
    jobs
      .filter(({ id, name = null, worker }) => matches(queue, id, name, worker))
      .map((job): Row => ({ queue, usual, job })),
  );
  if (rows.length === 0) return null;
  const hidden = data.queues.reduce((sum, { active, jobs }) => sum + active - jobs.length, 0);
  const title = t('workers.running');
  return (
    <section className={style['part']} aria-label={title}>
      <h2>
        {title} <small>{rows.length}</small>
      </h2>
      <Table
        caption={title}
        className={`rows ${style['table']}`}
        rows={rows}
        keyOf={({ queue, job }) => `${queue} ${job.id}`}
        columns={columnsOf<Row>([
          {
            title: 'workers.job',
            names: true,
            cell: ({ queue, job }) => (
              <Link {...toJob(board, queue, job.id)} data-row-link>
                {job.name ? `${job.name} ${job.id}` : job.id}
              </Link>
            ),
          },
          queueName === undefined && {
            title: 'workers.queue',
            cell: ({ queue }) => <Link {...toQueue(board, queue)}>{queue}</Link>,
          },
          rows.some(({ job }) => job.worker !== null) && {
            title: 'workers.worker',
            cell: ({ job }) => job.worker ?? <Unknown />,
          },
          {
            title: 'workers.runs',
            tone: (row) => (isLong(row, at) ? 'danger' : undefined),
            cell: ({ job, usual }) => (
              <>
                <Since time={job.startedOn ?? undefined} />
                {usual && `, ${t('workers.usually', { time: duration(usual.ms) })}`}
              </>
            ),
          },
          rows.some(({ job }) => job.heartbeat || job.isOrphaned) && {
            title: 'workers.heartbeat',
            tone: ({ job }) => (silence(job, at) === undefined ? undefined : 'danger'),
            cell: ({ job }) =>
              silence(job, at) ?? (job.heartbeat ? t('workers.live') : <Unknown />),
          },
        ])}
      />
      {(hidden > 0 || others > 0) && (
        <Note>{t('workers.runningMore', { jobs: hidden, queues: others })}</Note>
      )}
    </section>
  );
}

/** Since when the worker of a job has not reported; undefined where it has, or need not. */
function silence({ heartbeat, isOrphaned, startedOn }: Row['job'], at: number): string | undefined {
  if (isOrphaned) return t('workers.gone');
  const last = heartbeat && (heartbeat.lastOn ?? startedOn);
  if (last === undefined || last === null || at - last <= (heartbeat?.everyMs ?? 0))
    return undefined;
  return t('workers.noHeartbeat', { time: age(at - last) });
}
