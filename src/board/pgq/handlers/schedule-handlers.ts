/** Handlers of the schedule routes. */

import type { EngineHandlers } from '../../core/index.ts';
import { ScheduleCommands } from '../commands/schedule-commands.ts';
import type { PgqContext } from './context.ts';

export function scheduleHandlers({ schemas, schedules, writer }: PgqContext) {
  const commands = new ScheduleCommands(schemas, schedules, writer);
  return {
    listPgqSchedules: async ({ request, query }) => ({
      schedules: await schedules.list(request, query.queueName),
    }),
    previewPgqSchedule: async ({ body }) => ({
      runs: await commands.preview(body.expression, body.tz, body.count),
    }),
    upsertPgqSchedule: async ({ request, params, body }) => ({
      schedule: await commands.upsert(request, params.queueName, body),
    }),
    removePgqSchedule: ({ request, params, body }) =>
      commands.remove(request, params.queueName, body.key),
  } satisfies Partial<EngineHandlers<'pgq'>>;
}
