/** Commands for a schedule, of either engine. */

import { perform } from '../actions/perform.ts';
import type { Failure } from '../api/errors.ts';
import { t } from '../i18n/index.ts';
import type { Creatable } from './data.ts';
import type { ScheduleRow } from './rows.ts';

/** The action that running a schedule now is: pg-boss sends a job of its own. */
export const runAction = ({ board }: ScheduleRow): string =>
  board.engine === 'kvq' ? 'schedule.run' : 'job.add';

/** The name of the schedule for a person: its key, or its queue where the key is empty. */
export const titleOf = ({ key, queue }: ScheduleRow): string => (key === '' ? queue : key);

/** Options of a schedule that are not options of its jobs. */
const ofSchedule = new Set(['tz', 'key', 'missed']);

/** Adds a job as the schedule would, and leaves the schedule alone. */
export function runNow(row: ScheduleRow): Promise<boolean> {
  const { board, queue: queueName, key: schedulerId, pgq } = row;
  return perform({
    board,
    action: runAction(row),
    queue: queueName,
    run: async () => {
      if (!pgq) {
        const { job } = await board.client.call(
          'PUT /api/queues/{queueName}/job-schedulers/{schedulerId}/run',
          { params: { queueName, schedulerId } },
        );
        return String(job.id ?? '');
      }
      const options = Object.fromEntries(
        Object.entries(pgq.options).filter(([name]) => !ofSchedule.has(name)),
      );
      const { id } = await board.client.call('POST /api/pgq/queues/{queueName}/jobs', {
        params: { queueName },
        // The data goes as it is stored, so that no digit is rounded.
        rawBody: `{"data":${pgq.raw?.data ?? 'null'},"options":${JSON.stringify(options)}}`,
      });
      return id;
    },
    done: (id) =>
      id === null
        ? t('schedules.dropped')
        : t('schedules.ran', { schedule: titleOf(row), job: id }),
  });
}

export function removeSchedule(row: ScheduleRow): Promise<boolean> {
  const { board, queue: queueName, key } = row;
  return perform<unknown>({
    board,
    action: 'schedule.remove',
    queue: queueName,
    run: () =>
      board.engine === 'kvq'
        ? board.client.call('PUT /api/queues/{queueName}/job-schedulers/{schedulerId}/remove', {
            params: { queueName, schedulerId: key },
          })
        : board.client.call('PUT /api/pgq/queues/{queueName}/schedules/remove', {
            params: { queueName },
            body: { key },
          }),
    done: () => t('schedules.removed', { schedule: titleOf(row) }),
  });
}

/** When a schedule fires: an expression in a zone, or an interval. */
export interface Timing {
  readonly expression: string;
  /** Milliseconds; undefined for an expression. */
  readonly every: number | undefined;
  readonly zone: string;
}

/** The timing as the routes of kvq take it. */
export const whenOf = ({ expression, every, zone }: Timing) => ({
  ...(every === undefined ? { pattern: expression } : { every }),
  ...(zone !== '' && { tz: zone }),
});

/**
 * Changes when a schedule fires, and the data of its jobs; its options, end and limit stay.
 *
 * @param data as JSON; undefined keeps what is stored
 */
export function saveSchedule(
  row: ScheduleRow,
  timing: Timing,
  data: string | undefined,
  failed: (failure: Failure) => void,
): Promise<boolean> {
  const { board, queue: queueName, key, kvq, pgq, version: ifUnchanged } = row;
  const { expression, zone } = timing;
  return perform<unknown>({
    board,
    action: 'schedule.write',
    queue: queueName,
    run: () => {
      if (pgq) {
        // Without data, its route stores none.
        const body = {
          key,
          cron: expression,
          tz: zone || 'UTC',
          ifUnchanged,
          data: data ?? row.data,
        };
        return board.client.call('PUT /api/pgq/queues/{queueName}/schedules', {
          params: { queueName },
          query: { raw: '1' },
          body,
        });
      }
      return board.client.call('PATCH /api/queues/{queueName}/job-schedulers/{schedulerId}', {
        params: { queueName, schedulerId: key },
        query: { raw: '1' },
        body: {
          ...whenOf(timing),
          ...(kvq?.limit !== undefined && { limit: kvq.limit }),
          ...(kvq?.endDate !== undefined && { endDate: kvq.endDate }),
          ...(data !== undefined && { data }),
          ifUnchanged,
        },
      });
    },
    done: () => t('schedules.saved', { schedule: titleOf(row) }),
    failed,
  });
}

/** A schedule to be made; data and options as JSON texts, of which an empty one is not sent. */
interface NewSchedule {
  readonly key: string;
  /** The name of its jobs; empty for that which the library chooses. */
  readonly name: string;
  readonly timing: Timing;
  readonly data: string;
  readonly options: string;
}

/** Makes a schedule; one of the same key is not replaced. */
export function createSchedule(
  { board, queue: queueName }: Creatable,
  { key, name, timing, data, options }: NewSchedule,
  failed: (failure: Failure) => void,
): Promise<boolean> {
  const { expression, zone } = timing;
  const params = { queueName };
  // The data goes as it is written, so that no digit is rounded.
  const bodyOf = (rest: object): string =>
    [
      JSON.stringify(rest).slice(0, -1),
      data.trim() && `"data":${data}`,
      `"options":${options.trim() || '{}'}}`,
    ]
      .filter(Boolean)
      .join(',');
  return perform<unknown>({
    board,
    action: 'schedule.write',
    queue: queueName,
    run: async () => {
      if (board.engine === 'kvq') {
        return board.client.call('POST /api/queues/{queueName}/job-schedulers', {
          params,
          rawBody: bodyOf({ id: key, name, ...whenOf(timing) }),
        });
      }
      return board.client.call('PUT /api/pgq/queues/{queueName}/schedules', {
        params,
        rawBody: bodyOf({ key, cron: expression, tz: zone || 'UTC', ifAbsent: true }),
      });
    },
    done: () => t('schedules.created', { schedule: key === '' ? queueName : key }),
    failed,
  });
}
