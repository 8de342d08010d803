/** The reasons that hold back the jobs of a list, in a few words: limits of the queue, and those of each job. */

import { exact } from '../format/number.ts';
import { duration } from '../format/time.ts';
import { addTexts, t } from '../i18n/index.ts';
import texts from '../i18n/messages/en/course.json';
import { serverNow } from '../live/server-time.ts';
import type { QueueInfo } from '../queue/info.ts';
import type { JobRow } from '../queue/jobs.ts';

addTexts(texts);

const ready: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'paused']);

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

export interface HeldJobs {
  /** The reason that holds all jobs of the queue back which could run; undefined for none. */
  readonly general: string | undefined;
  /** The reason that holds a job back; undefined where none is known. */
  of(job: JobRow): string | undefined;
}

export function heldIn(info: QueueInfo): HeldJobs {
  const general = ofQueue(info);
  const keys = new Set(info.pgq?.singletonsActive);
  const of = ({ state, singleton, runsAt }: JobRow): string | undefined => {
    if (ready.has(state)) return general;
    if (state === 'blocked') return t('heldBy.jobs');
    const waits = state === 'created' || (state === 'retry' && (runsAt ?? 0) <= serverNow());
    return waits && singleton !== undefined && keys.has(singleton) ? t('heldBy.key') : undefined;
  };
  return { general, of };
}
