/** Handlers of the schedule routes. */

import { type EngineHandlers, sentValue } from '../../core/index.ts';
import { ScheduleCommands } from '../commands/schedule-commands.ts';
import { shownSchedule } from '../reads/schedules.ts';
import type { PgqContext } from './context.ts';

export function scheduleHandlers({ schemas, schedules, writer, values }: PgqContext) {
  const commands = new ScheduleCommands(schemas, schedules, writer, values);
  return {
    listPgqSchedules: async ({ request, query }) => ({
      schedules: (await schedules.list(request, query.queueName)).map((schedule) =>
        shownSchedule(schedule, values, query.raw),
      ),
    }),
    previewPgqSchedule: async ({ body, signal }) => ({
      runs: await commands.preview(body, signal),
    }),
    upsertPgqSchedule: async ({ request, params, query, body }) => {
      const { raw } = query;
      const data = sentValue(body.data, raw, 'data');
      const stored = await commands.upsert(request, params.queueName, { ...body, data, raw });
      return { schedule: shownSchedule(stored, values, raw) };
    },
    removePgqSchedule: ({ request, params, body }) =>
      commands.remove(request, params.queueName, body.key),
  } satisfies Partial<EngineHandlers<'pgq'>>;
}
