/** Tests stored jobs against search criteria that the datastore cannot evaluate. */

import { foldText } from '../../../../schema/index.ts';
import type { ExaminedJob } from '../../model/driver.ts';
import type { JobCriteria } from '../../model/search-criteria.ts';
import { valueAt } from '../../model/value-at.ts';

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

function dataMatches(stored: string, criteria: JobCriteria): boolean {
  if (criteria.path === undefined) return true;
  const value = valueAt(stored, criteria.path);
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
function hasEnded({ finishedOn }: ExaminedJob, { finishedFrom, finishedTo }: JobCriteria): boolean {
  if (finishedFrom === undefined && finishedTo === undefined) return true;
  return (
    finishedOn !== null &&
    finishedOn >= (finishedFrom ?? -Infinity) &&
    finishedOn <= (finishedTo ?? Infinity)
  );
}

/** Whether a job meets all given criteria. */
export function matches(job: ExaminedJob, criteria: JobCriteria): boolean {
  return (
    job.timestamp >= (criteria.from ?? -Infinity) &&
    job.timestamp <= (criteria.to ?? Infinity) &&
    hasEnded(job, criteria) &&
    contains(job.name, criteria.name, criteria) &&
    contains(job.error, criteria.error, criteria) &&
    dataMatches(job.data, criteria) &&
    (criteria.where?.meets(job) ?? true)
  );
}
