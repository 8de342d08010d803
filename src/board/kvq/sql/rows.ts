/** Converts rows of BullMQ's tables of jobs and schedulers to records. */

import { isRecord } from '../../../lib/index.ts';
import type { JobRecord } from '../model/job-record.ts';
import type { JobState } from '../model/types.ts';
import type { LocatedJob, StoredTexts, SchedulerRecord } from '../model/store.ts';

type Row = Readonly<Record<string, unknown>>;

const whole = (value: unknown): number => Number(value ?? 0) || 0;

const moment = (value: unknown): number | null => whole(value) || null;

const text = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value);

/** The record of a row; the driver returns 64-bit integers as strings. */
export function jobFromRow(row: Row): JobRecord {
  const { opts, stacktrace, truncated } = row;
  const isLocked = row['lock_token'] !== null && whole(row['locked_until_ms']) > Date.now();
  const dueAt = whole(row['process_at_ms']);
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
    ...(row['state'] === 'delayed' && dueAt > 0 && { runsAt: dueAt }),
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

const number = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);

export function schedulerFromRow(row: Row): SchedulerRecord {
  const { template_data: data, template_opts: opts } = row;
  return {
    id: String(row['scheduler_id']),
    name: text(row['name']) ?? String(row['scheduler_id']),
    next: number(row['next_run_ms']),
    iterationCount: number(row['iteration_count']),
    limit: number(row['limit_count']),
    startDate: number(row['start_date_ms']),
    endDate: number(row['end_date_ms']),
    tz: text(row['tz']),
    pattern: text(row['pattern']),
    every: number(row['every_ms']),
    template: {
      ...(data !== null && data !== undefined && { data }),
      ...(isRecord(opts) && { opts }),
    },
    texts: textsOfRow(row),
    nextRunJobId: text(row['pending_id']),
    nextRunAdded: number(row['pending_added']),
    lastRunJobId: text(row['previous_id']),
    runPrefix: `repeat:${String(row['scheduler_id'])}:`,
  };
}
