/** Converts a row of BullMQ's scheduler table to a scheduler record. */

import { isRecord } from '../../../lib/index.ts';
import { textsOfRow } from './job-row.ts';
import type { SchedulerRecord } from '../model/store.ts';

type Row = Readonly<Record<string, unknown>>;

const number = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);

const text = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);

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
