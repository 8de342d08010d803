/** Schedules of either engine as one kind of row. */

import type { Answer } from '../api/client.ts';
import type { Board } from '../api/boards.ts';
import { uiConfig } from '../config.ts';
import { instant } from '../format/time.ts';

export type KvqScheduler = Answer<'GET /api/job-schedulers'>['schedulers'][number];
export type PgqSchedule = Answer<'GET /api/pgq/schedules'>['schedules'][number];
type KvqListing = Answer<'GET /api/queues'>;
type PgqListing = Answer<'GET /api/pgq/queues'>;
type PgqInfo = Answer<'GET /api/pgq/info'>;

/** The capabilities of the board and the library of a queue for a schedule, before the permissions of a person. */
interface Abilities {
  readonly edit: boolean;
  readonly run: boolean;
  readonly remove: boolean;
  /** Whether the board can tell the next runs of an expression that is not stored. */
  readonly preview: boolean;
}

export interface ScheduleRow {
  readonly id: string;
  readonly board: Board;
  readonly queue: string;
  readonly queueTitle: string;
  /** The key as stored; pg-boss knows an empty one. */
  readonly key: string;
  readonly name?: string | undefined;
  readonly kind: 'cron' | 'every' | 'rrule';
  /** The cron expression, or the rule. */
  readonly expression: string;
  /** Milliseconds between two runs. */
  readonly every?: number | undefined;
  readonly zone?: string | undefined;
  readonly next?: number | undefined;
  /** All next runs that the board tells. */
  readonly nextRuns: readonly number[];
  readonly last?: number | undefined;
  readonly lastJobId?: string | undefined;
  /** Whether the library keeps what has run last; earlier versions of pg-boss do not. */
  readonly keepsLast: boolean;
  /** The data of its jobs as JSON: as stored, or as a formatter shows it. */
  readonly data: string;
  /** Whether a formatter decides what is shown of the data. */
  readonly isReplaced: boolean;
  /** Identifies what an edit begins with. */
  readonly version: string;
  readonly abilities: Abilities;
  readonly readOnly: boolean;
  /** Actions that this person may do; undefined for all. */
  readonly allowed?: readonly string[] | undefined;
  readonly kvq?: KvqScheduler | undefined;
  readonly pgq?: PgqSchedule | undefined;
}

export function kvqRows(
  board: Board,
  schedulers: readonly KvqScheduler[],
  listing: KvqListing | undefined,
): ScheduleRow[] {
  return schedulers.map((scheduler) => {
    const queue = listing?.queues.find(({ name }) => name === scheduler.queueName);
    const can = queue?.capabilities.jobSchedulers;
    const { id, pattern, every, next, lastRun, template, raw, version } = scheduler;
    return {
      id: JSON.stringify([board.basePath, scheduler.queueName, id]),
      board,
      queue: scheduler.queueName,
      queueTitle: queue?.displayName ?? scheduler.queueName,
      key: id,
      name: scheduler.name === id || scheduler.name === '' ? undefined : scheduler.name,
      kind: pattern === undefined ? 'every' : 'cron',
      expression: pattern ?? '',
      every,
      zone: scheduler.tz,
      next,
      nextRuns:
        scheduler.nextRuns?.map((run) => Date.parse(run)) ?? (next === undefined ? [] : [next]),
      last: lastRun,
      lastJobId: scheduler.lastRunJobId,
      keepsLast: true,
      data: raw?.data ?? JSON.stringify(template?.data ?? {}),
      isReplaced: template?.data !== undefined && raw?.data === undefined,
      version,
      abilities: {
        edit: can?.update ?? false,
        run: can?.run ?? false,
        remove: queue !== undefined,
        preview: can?.preview ?? false,
      },
      readOnly:
        (queue?.readOnlyMode ?? false) || (board.param === undefined && uiConfig.readOnly === true),
      allowed: queue?.allowed ?? listing?.allowed,
      kvq: scheduler,
    };
  });
}

export function pgqRows(
  board: Board,
  schedules: readonly PgqSchedule[],
  listing: PgqListing | undefined,
  info: PgqInfo | undefined,
): ScheduleRow[] {
  const can = info?.capabilities;
  return schedules.map((schedule) => {
    const queue = listing?.queues.find(({ name }) => name === schedule.queueName);
    const runs = schedule.nextRuns.map(instant).filter((time) => time !== undefined);
    return {
      id: JSON.stringify([board.basePath, schedule.queueName, schedule.key]),
      board,
      queue: schedule.queueName,
      queueTitle: schedule.queueName,
      key: schedule.key,
      kind: schedule.kind,
      expression: schedule.expression,
      zone: schedule.timezone,
      next: runs[0],
      nextRuns: runs,
      lastJobId: schedule.lastJobId ?? undefined,
      keepsLast: info?.features.scheduleKind === true,
      data: schedule.raw?.data ?? JSON.stringify(schedule.data ?? null),
      isReplaced: schedule.raw?.data === undefined,
      version: schedule.version,
      abilities: {
        edit: can?.scheduleWrite ?? false,
        // A formatter may hide the data, and a job must not be sent with what it shows instead.
        run: (can?.send ?? false) && schedule.raw?.data !== undefined,
        remove: can?.scheduleWrite ?? false,
        preview: can?.schedulePreview ?? false,
      },
      readOnly: info !== undefined && !info.writable,
      allowed: queue?.allowed ?? listing?.allowed,
      pgq: schedule,
    };
  });
}

/** The order of the list: it does not change while schedules run. */
export const byQueueAndKey = (left: ScheduleRow, right: ScheduleRow): number =>
  left.queueTitle.localeCompare(right.queueTitle) || left.key.localeCompare(right.key);
