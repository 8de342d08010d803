/** The reasons that hold back the jobs of a list, in a few words: limits of the queue, and those of each job. */

import { useQuery } from '@tanstack/react-query';

import { exact } from '../format/number.ts';
import { duration } from '../format/time.ts';
import { addTexts, t } from '../i18n/index.ts';
import texts from '../i18n/messages/en/course.json';
import { live } from '../live/loop.ts';
import { serverNow } from '../live/server-time.ts';
import type { QueueInfo, ShownQueue } from '../queue/info.ts';
import type { JobRow } from '../queue/jobs.ts';

addTexts(texts);

const ready: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'paused']);

/** Policies of pg-boss under which no two jobs of a key run at a time. */
const keeping: ReadonlySet<string> = new Set(['singleton', 'stately']);

/** The reason that holds every job of the queue back which could run; undefined for none. */
function ofQueue({ kvq, paused, deserted }: QueueInfo): string | undefined {
  if (!kvq) return undefined;
  const { activeRateLimitTtl, globalConcurrency: limit, counts } = kvq;
  const { active = 0 } = counts;
  if (paused) return t('heldBy.paused');
  if (deserted) return t('heldBy.worker');
  if (activeRateLimitTtl > 0) return t('heldBy.rate', { time: duration(activeRateLimitTtl) });
  if (limit !== null && active >= limit)
    return t('heldBy.limit', { count: exact(active), limit: exact(limit) });
  return undefined;
}

/** Whether it is a job of pg-boss that could run. */
const waits = ({ state, runsAt }: JobRow): boolean =>
  state === 'created' || (state === 'retry' && (runsAt ?? 0) <= serverNow());

/** How early a job runs by its priority, least first: of BullMQ those without one, of pg-boss those with the highest. */
const rankOf = ({ state, priority = 0 }: JobRow): number =>
  state === 'created' || state === 'retry' ? -priority : priority;

/** The keys and groups of the jobs of pg-boss that run, where they hold jobs of the list back. */
function useTaken({ board, queueName, info }: ShownQueue, rows: readonly JobRow[]) {
  const policy = info.pgq?.policy ?? '';
  const { data } = useQuery({
    ...board.client.read('GET /api/pgq/queues/{queueName}/jobs', {
      params: { queueName },
      query: { state: 'active', limit: '100' },
    }),
    enabled:
      board.engine === 'pgq' &&
      rows.some((job) => waits(job) && (keeping.has(policy) || job.group !== undefined)),
    meta: live,
  });
  const keys = new Set(info.pgq?.singletonsActive);
  const groups = new Map<string, number>();
  for (const { singletonKey, groupId } of data?.jobs ?? []) {
    if (keeping.has(policy)) keys.add(singletonKey ?? '');
    if (groupId !== null) groups.set(groupId, (groups.get(groupId) ?? 0) + 1);
  }
  return { keys, groups };
}

export interface HeldJobs {
  /** Whether a reason is known of any job. */
  readonly any: boolean;
  /** Differs where the reasons do. */
  readonly basis: string;
  /** The reason that holds a job back; undefined where none is known. */
  of(job: JobRow): string | undefined;
}

export function useHeld(place: ShownQueue, rows: readonly JobRow[]): HeldJobs {
  const general = ofQueue(place.info);
  const { keys, groups } = useTaken(place, rows);
  const waiting = rows.filter((job) => ready.has(job.state) || waits(job));
  // Bull runs jobs without a priority last.
  const isRanked = place.info.kvq?.library !== 'legacy';
  const first = isRanked ? Math.min(...waiting.map(rankOf)) : Number.POSITIVE_INFINITY;
  const of = (job: JobRow): string | undefined => {
    const { state, singleton, group } = job;
    if (state === 'blocked') return t('heldBy.jobs');
    const isWaiting = waits(job);
    if (!isWaiting && !ready.has(state)) return undefined;
    const grouped = group === undefined ? 0 : (groups.get(group) ?? 0);
    if (isWaiting && keys.has(singleton ?? '')) return t('heldBy.key');
    if (isWaiting && grouped > 0) return t('heldBy.group', { count: grouped });
    return general ?? (rankOf(job) > first ? t('heldBy.order') : undefined);
  };
  const any = waiting.some((job) => of(job) !== undefined);
  return { any, basis: JSON.stringify([general, [...keys], [...groups], first, any]), of };
}
