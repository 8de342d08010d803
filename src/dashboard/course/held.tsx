/** Why a job does not run yet, and which jobs are deduplicated with it. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { toJob } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { exact } from '../format/number.ts';
import { duration } from '../format/time.ts';
import { addTexts, t } from '../i18n/index.ts';
import courseTexts from '../i18n/messages/en/course.json';
import jobTexts from '../i18n/messages/en/job.json';
import { Note } from '../kit/panel.tsx';
import { useClock } from '../live/clock.ts';
import { live } from '../live/loop.ts';
import type { JobDetail } from '../job/detail.ts';

addTexts(jobTexts);
addTexts(courseTexts);

type Holds = Answer<'GET /api/queues/{queueName}/{jobId}/holds'>;
type Hold = Holds['holds'][number];

/** States in which nothing holds a job back. */
const free: ReadonlySet<string> = new Set(['active', 'completed', 'failed', 'cancelled']);

/** Reasons that are part of the course of every such job: they are told, but nothing is wrong. */
const usual: ReadonlySet<string> = new Set(['delayed', 'backoff', 'order', 'children']);

const holdsOf = (board: Board, { queueName, id, state, attempts }: JobDetail) => ({
  queryKey: [board.basePath, 'holds', queueName, id, state, attempts],
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Holds> => {
    const params = { queueName, jobId: id };
    return board.engine === 'kvq'
      ? board.client.call('GET /api/queues/{queueName}/{jobId}/holds', { params, signal })
      : board.client.call('GET /api/pgq/queues/{queueName}/jobs/{jobId}/holds', {
          params,
          signal,
        });
  },
});

function wordsOf({ reason, count = 0, capped, limit = 0, until = 0 }: Hold, now: number): string {
  return t(`held.${reason}`, {
    count: capped ? `${exact(count)}+` : exact(count),
    limit: exact(limit),
    time: duration(Math.max(0, until - now)),
  });
}

export function Held({ board, job }: { readonly board: Board; readonly job: JobDetail }) {
  const waits = !free.has(job.state);
  // Of a job that has ended, only the key may still hold others back.
  const hasKey = 'deduplicationId' in job.facts || 'singletonKey' in job.facts;
  const { data } = useQuery({
    ...holdsOf(board, job),
    enabled: waits || hasKey,
    ...(waits && { meta: live }),
  });
  const now = useClock((time) => Math.floor(time / 1_000)) * 1_000;
  if (!data) return null;
  const { holds, deduplication } = data;
  const link = (id: string) => (
    <Link {...toJob(board, job.queueName, id)} className="mono">
      {id}
    </Link>
  );
  return (
    <>
      {holds
        .filter(({ until }) => until === undefined || until > now)
        .map((hold) => (
          <Note key={hold.reason} {...(!usual.has(hold.reason) && { tone: 'warn' })}>
            {wordsOf(hold, now)} {hold.jobId !== undefined && link(hold.jobId)}
          </Note>
        ))}
      {deduplication && (deduplication.until === null || deduplication.until > now) && (
        <Note>
          {deduplication.jobId === job.id ? (
            t('held.deduplicated', { key: deduplication.key })
          ) : (
            <>
              {t('held.deduplicatedOther', { key: deduplication.key })} {link(deduplication.jobId)}
            </>
          )}
          {deduplication.until !== null &&
            ` ${t('held.for', { time: duration(deduplication.until - now) })}`}
        </Note>
      )}
    </>
  );
}
