/** Converts a row of BullMQ's job table to a job record. */

import { isRecord } from '../../../lib/index.ts';
import type { JobRecord } from '../model/job-record.ts';
import type { JobState } from '../model/types.ts';
import type { LocatedJob, StoredTexts } from '../model/store.ts';

type Row = Readonly<Record<string, unknown>>;

const whole = (value: unknown): number => Number(value ?? 0) || 0;

const moment = (value: unknown): number | null => whole(value) || null;

const text = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value);

/** The record of a row; the driver returns 64-bit integers as strings. */
export function jobFromRow(row: Row): JobRecord {
  const { opts, stacktrace, truncated } = row;
  const isLocked = row['lock_token'] !== null && whole(row['locked_until_ms']) > Date.now();
  const isOrphaned = row['state'] === 'active' && !isLocked;
  return {
    id: String(row['id']),
    name: String(row['name'] ?? ''),
    data: row['data'] ?? {},
    opts: isRecord(opts) ? opts : {},
    progress: row['progress'] ?? 0,
    delay: whole(row['delay_ms']),
    priority: whole(row['priority']),
    timestamp: whole(row['added_at_ms']),
    attemptsMade: whole(row['attempts_made']),
    attemptsStarted: whole(row['attempts_started']),
    stalledCounter: whole(row['stalled_count']),
    processedOn: moment(row['processed_at_ms']),
    processedBy: text(row['processed_by']),
    finishedOn: moment(row['finished_at_ms']),
    failedReason: text(row['failed_reason']),
    stacktrace: Array.isArray(stacktrace) ? stacktrace.map(String) : [],
    returnvalue: row['return_value'] ?? null,
    deduplicationId: text(row['dedup_id']),
    deferredFailure: text(row['deferred_failure']),
    parentKey: text(row['parent_key']),
    repeatJobKey: text(row['scheduler_id']),
    ...(Array.isArray(truncated) && truncated.length > 0 && { truncated: truncated.map(String) }),
    ...(isOrphaned && { isOrphaned }),
  };
}

const states = new Map<unknown, JobState>(
  (['waiting', 'active', 'completed', 'failed', 'delayed', 'waiting-children'] as const).map(
    (state) => [state, state],
  ),
);

/** The state of a row; a waiting job with a priority counts as prioritized. */
function stateOfRow(row: Row): JobState {
  const state = states.get(row['state']) ?? 'unknown';
  return state === 'waiting' && whole(row['priority']) > 0 ? 'prioritized' : state;
}

/** The parts that a row holds as texts. */
export function textsOfRow(row: Row): StoredTexts {
  const parts = [
    ['data', 'data_text'],
    ['opts', 'opts_text'],
    ['progress', 'progress_text'],
    ['returnValue', 'return_value_text'],
  ].flatMap(([part = '', column = '']) => {
    const stored = row[column];
    return typeof stored === 'string' ? [[part, stored] as const] : [];
  });
  return Object.fromEntries(parts);
}

export function locatedFromRow(row: Row): LocatedJob {
  return { job: jobFromRow(row), state: stateOfRow(row) };
}
