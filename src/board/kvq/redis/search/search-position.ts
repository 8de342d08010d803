/** The position of a search in a Redis queue: a state, and the last examined job in it. */

import type { JobStatus } from '../../model/types.ts';
import { InvalidPosition } from '../../model/search-criteria.ts';

/** The position from which a search continues. */
export interface SearchStep {
  readonly status: JobStatus;
  /** Index in a list, valid while the list is unchanged. */
  readonly position: number;
  /** Score of the last job of a sorted set. */
  readonly score: string;
  /** Ids of the jobs of the state that were examined last, most recent first. */
  readonly seen: readonly string[];
}

/** Number of remembered jobs of a list. More than one, because a job may leave the list before the next step. */
const remembered = 3;

/** A job of a state, and the position after it. */
export interface ExaminedPosition {
  readonly status: JobStatus;
  readonly id: string;
  readonly position: number;
  readonly score: string;
}

const lists: ReadonlySet<JobStatus> = new Set(['waiting', 'paused', 'active']);

const score = /^-?(?:inf|\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/** The position at the start of a state. */
export const stepInto = (status: JobStatus): SearchStep => ({
  status,
  position: 0,
  score: '',
  seen: [],
});

/** The position after a job. */
export function stepBehind(before: SearchStep, passed: ExaminedPosition): SearchStep {
  const { status, position, id } = passed;
  const others = before.status === status ? before.seen : [];
  const kept = lists.has(status) ? remembered : 1;
  return { status, position, score: passed.score, seen: [id, ...others].slice(0, kept) };
}

/** Serializes a position. */
export function writeStep({ status, position, score: at, seen }: SearchStep): string {
  return JSON.stringify([status, position, at, ...seen]);
}

/** Parses the text of {@link writeStep}; throws `InvalidPosition` when it is not a position in these states. */
export function readStep(text: string, statuses: readonly JobStatus[]): SearchStep {
  let parts: unknown;
  try {
    parts = JSON.parse(text);
  } catch {
    throw new InvalidPosition('The position is not in this queue.');
  }
  const [name, position, at, ...seen]: unknown[] = Array.isArray(parts) ? parts : [];
  const status = statuses.find((known) => known === name);
  const ids = seen.filter((id) => typeof id === 'string');
  const isList = status !== undefined && lists.has(status);
  const fits =
    status !== undefined &&
    typeof position === 'number' &&
    Number.isSafeInteger(position) &&
    position >= 0 &&
    typeof at === 'string' &&
    ids.length === seen.length &&
    (ids.length === 0
      ? position === 0 && at === ''
      : isList
        ? at === '' && ids.length <= remembered
        : score.test(at) && ids.length === 1);
  if (!fits) throw new InvalidPosition('The position is not in this queue.');
  return { status, position, score: at, seen: ids };
}
