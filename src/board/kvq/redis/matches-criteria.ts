/** Tests stored jobs against search criteria that the datastore cannot evaluate. */

import type { JobCriteria } from '../model/search-criteria.ts';

/** The parts of a job that criteria apply to; `data` is the stored JSON. */
export interface Examined {
  readonly name: string;
  readonly error: string;
  readonly timestamp: number;
  readonly data: string;
}

const contains = (text: string, part: string | undefined): boolean =>
  part === undefined || text.includes(part);

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
  return criteria.value === undefined || scalar(value) === criteria.value;
}

/** Whether a job meets all given criteria. */
export function matches(job: Examined, criteria: JobCriteria): boolean {
  return (
    job.timestamp >= (criteria.from ?? -Infinity) &&
    job.timestamp <= (criteria.to ?? Infinity) &&
    contains(job.name, criteria.name) &&
    contains(job.error, criteria.error) &&
    dataMatches(job.data, criteria)
  );
}
