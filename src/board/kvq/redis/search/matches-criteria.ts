/** Tests stored jobs against search criteria that the datastore cannot evaluate. */

import { foldText } from '../../../../schema/index.ts';
import type { JobCriteria } from '../../model/search-criteria.ts';

/** The parts of a job that criteria apply to; `data` is the stored JSON. */
export interface Examined {
  readonly name: string;
  readonly error: string;
  readonly timestamp: number;
  /** When it completed or failed; null before. */
  readonly finishedOn: number | null;
  readonly data: string;
}

/** How texts are compared. */
const folding = ({ ignoreCase }: JobCriteria) =>
  ignoreCase ? foldText : (text: string): string => text;

function contains(text: string, part: string | undefined, criteria: JobCriteria): boolean {
  if (part === undefined) return true;
  const fold = folding(criteria);
  return fold(text).includes(fold(part));
}

const order = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

function isWithin(value: unknown, { range }: JobCriteria): boolean {
  if (!range) return true;
  if (range.of === 'number') {
    const { min = -Infinity, max = Infinity } = range;
    return typeof value === 'number' && value >= min && value <= max;
  }
  const { min, max } = range;
  return (
    typeof value === 'string' &&
    (min === undefined || order(value, min) >= 0) &&
    (max === undefined || order(value, max) <= 0)
  );
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a value has a stored member of that name; a list has only its items. */
function holds(value: unknown, name: string): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, name) && !(Array.isArray(value) && name === 'length');
}

/** The value at a path of stored members, `undefined` when absent. */
function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const name of path) {
    if (!holds(value, name)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}

function dataMatches(stored: string, criteria: JobCriteria): boolean {
  if (criteria.path === undefined) return true;
  let data: unknown;
  try {
    data = JSON.parse(stored);
  } catch {
    return false;
  }
  const value = valueAt(data, criteria.path);
  if (value === undefined) return false;
  const fold = folding(criteria);
  return (
    (criteria.value === undefined || fold(scalar(value)) === fold(criteria.value)) &&
    (criteria.contains === undefined ||
      (typeof value === 'string' && contains(value, criteria.contains, criteria))) &&
    isWithin(value, criteria)
  );
}

/** Whether a job has completed or failed in the range, if there is one. */
function hasEnded({ finishedOn }: Examined, { finishedFrom, finishedTo }: JobCriteria): boolean {
  if (finishedFrom === undefined && finishedTo === undefined) return true;
  return (
    finishedOn !== null &&
    finishedOn >= (finishedFrom ?? -Infinity) &&
    finishedOn <= (finishedTo ?? Infinity)
  );
}

/** Whether a job meets all given criteria. */
export function matches(job: Examined, criteria: JobCriteria): boolean {
  return (
    job.timestamp >= (criteria.from ?? -Infinity) &&
    job.timestamp <= (criteria.to ?? Infinity) &&
    hasEnded(job, criteria) &&
    contains(job.name, criteria.name, criteria) &&
    contains(job.error, criteria.error, criteria) &&
    dataMatches(job.data, criteria)
  );
}
