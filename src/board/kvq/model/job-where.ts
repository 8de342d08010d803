/** A filter of jobs as text: whether a job of a queue meets it, and which times of finished jobs it can have. */

import { type JobFilter, type JobValue, changed, isMet, partOf } from '../../filters/index.ts';
import type { AskedFilter } from '../../filters/where.ts';
import type { PlanValue } from '../../../rules/index.ts';
import type { ExaminedJob } from './driver.ts';
import type { JobWhere } from './search-criteria.ts';
import { scalarAt } from './value-at.ts';

const ends: ReadonlySet<string> = new Set(['finished', 'failed', 'completed']);
const times: ReadonlySet<string> = new Set([...ends, 'added', 'processed', 'started']);

const inMilliseconds = (filter: JobFilter): JobFilter =>
  changed(filter, (condition) => {
    const { path, operator, value } = condition;
    if (!times.has(path) || operator === 'isNull') return condition;
    const instants = ([value].flat() as readonly PlanValue[]).map((each) =>
      Date.parse(String(each)),
    );
    return { ...condition, value: operator === 'between' ? instants : Number(instants[0]) };
  });

const lengthOf = (from: number | null | undefined, to: number | null): number | null =>
  from === null || from === undefined || to === null ? null : to - from;

/** The values of a job. An error counts as the sender sees it. */
function valuesOf(
  { name, error, timestamp, finishedOn, data, more }: ExaminedJob,
  shown: (error: string) => string,
): (path: string) => JobValue {
  const fields: Record<string, () => JobValue | undefined> = {
    name: () => name,
    error: () => shown(error) || null,
    added: () => timestamp,
    processed: () => more?.processedOn,
    started: () => more?.processedOn,
    finished: () => finishedOn,
    failed: () => (more?.state === 'failed' ? finishedOn : null),
    completed: () => (more?.state === 'completed' ? finishedOn : null),
    duration: () => lengthOf(more?.processedOn, finishedOn),
    attempts: () => more?.attemptsMade,
    priority: () => more?.priority,
    id: () => more?.id,
    worker: () => more?.processedBy,
    state: () => more?.state,
  };
  return (path) => {
    const part = partOf(path);
    if (!part) return fields[path]?.() ?? null;
    const value = scalarAt(data, part.path.split('.').slice(1));
    if (part.as === 'number') return typeof value === 'number' ? value : null;
    return value === null ? null : String(value);
  };
}

/** A filter for jobs of which errors are shown in some way. */
export function whereOf(asked: AskedFilter, shown: (error: string) => string): JobWhere {
  const filter = inMilliseconds(asked.filter);
  return {
    filter,
    paths: [...asked.paths].filter((path) => path.includes('.')),
    readsError: asked.paths.has('error'),
    meets: (job) => isMet(filter, valuesOf(job, shown)),
  };
}

/** The range of time in which a job has to have ended to meet the filter, where it says so for all jobs. */
export function endsWithin({ filter: asked }: AskedFilter): {
  readonly finishedFrom?: number;
  readonly finishedTo?: number;
} {
  const filter = inMilliseconds(asked);
  let [from, to] = [-Infinity, Infinity];
  for (const each of filter.type === 'and' ? filter.predicates : [filter]) {
    if (each.type !== 'condition' || !ends.has(each.path) || each.operator === 'isNull') continue;
    const [low = NaN, high = low] = [each.value].flat().map(Number);
    if (!each.operator.startsWith('l')) from = Math.max(from, low);
    if (!each.operator.startsWith('g')) to = Math.min(to, high);
  }
  return {
    ...(from > -Infinity && { finishedFrom: from }),
    ...(to < Infinity && { finishedTo: to }),
  };
}
