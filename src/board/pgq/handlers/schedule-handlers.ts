/** Handlers of the schedules, whose commands use the API of pg-boss, and the preview of an expression. */

import {
  DutyCycleQueue,
  QueueFullError,
  postgresqlErrorClass,
  sqlState,
} from '../../../lib/index.ts';
import {
  BoardError,
  type EngineHandlers,
  isTimeZone,
  mostComputed,
  parseExact,
  sentValue,
  withStoredDigits,
} from '../../core/index.ts';
import { requireFeature } from '../listings/installation.ts';
import { shownSchedule } from '../reads/schedules.ts';
import { claimSchedule, lockSchedule } from '../commands/locked-jobs.ts';
import { scheduleOptions } from '../commands/send-options.ts';
import type { CommandStep } from '../commands/writable-schemas.ts';
import type { PgqContext } from './context.ts';

/** Maximum length of an expression; useful RRULEs are far shorter. */
const maxExpressionLength = 1_000;
/** Maximum length of the parser's message in a response. */
const maxMessageLength = 200;

function invalidSchedule(message: string, cause?: unknown): BoardError {
  return new BoardError('PGQ_INVALID_SCHEDULE', {
    message: message.slice(0, maxMessageLength),
    cause,
  });
}

/** Checks the length of the expression and the time zone, because old versions of the library accept any zone. */
function requireReadable(expression: string, timezone: string): void {
  if (expression.length > maxExpressionLength) {
    throw invalidSchedule(`The expression is longer than ${maxExpressionLength} characters.`);
  }
  if (!isTimeZone(timezone)) throw invalidSchedule('The time zone is unknown.');
}

/** Parsers quote what they cannot read, and a response never repeats values of the request. */
function withoutWordsOf(expression: string, message: string): string {
  const given = expression.toLowerCase();
  return message.replace(/[^\s,:"'`]+/g, (word) =>
    given.includes(word.toLowerCase()) ? '…' : word,
  );
}

/** Errors of the parser and the library concern the expression; those of the database do not. */
function scheduleError(error: unknown, expression: string): unknown {
  const fromDatabase = postgresqlErrorClass(error) !== undefined || sqlState(error) !== undefined;
  if (fromDatabase || error instanceof BoardError || !(error instanceof Error)) return error;
  if (/^Queue .* not found$/.test(error.message)) return error;
  return invalidSchedule(withoutWordsOf(expression, error.message), error);
}

export function scheduleHandlers({ schemas, schedules, writer, values }: PgqContext) {
  // A rule with almost no matches keeps the parser busy for seconds.
  const parsing = new DutyCycleQueue(mostComputed);

  /** The schedule, locked; a library that the board does not know writes it on another connection. */
  const lockedSchedule = async (step: CommandStep, queueName: string, key: string) => {
    if (step.instance !== step.own) await lockSchedule(step, queueName, key);
    return schedules.find(step.schema, queueName, key);
  };

  return {
    async listPgqSchedules({ request, query }) {
      const found = await schedules.list(request, query.queueName);
      return { schedules: found.map((schedule) => shownSchedule(schedule, values, query.raw)) };
    },

    /** The next runs of an expression. Does not use the database. */
    async previewPgqSchedule({ body: { expression, tz, count }, signal }) {
      const previewer = await writer.previewer();
      if (!previewer) throw new BoardError('PGQ_PREVIEW_UNAVAILABLE');
      const timezone = tz?.trim() || 'UTC';
      requireReadable(expression, timezone);
      try {
        const runs = await parsing.run(() =>
          // The turn may come late.
          signal.aborted ? [] : previewer(expression, timezone, count),
        );
        return { runs: runs.map((run) => run.toISOString()) };
      } catch (error) {
        if (error instanceof QueueFullError)
          throw new BoardError('SCHEDULE_LIMIT', { cause: error });
        throw scheduleError(error, expression);
      }
    },

    /** Creates or replaces the schedule with this key; stored options that the client does not name stay. */
    async upsertPgqSchedule({ request, params: { queueName }, query: { raw }, body }) {
      const sent = sentValue(body.data, raw, 'data');
      const stored = await schemas.open(request, queueName, ['schedule'], async (step) => {
        const { schema, instance } = step;
        requireFeature(schema.state, 'schedules');
        const { key, cron, ifUnchanged, ifAbsent } = body;
        const tz = body.tz.trim() || 'UTC';
        requireReadable(cron, tz);
        if (ifAbsent === true && !(await claimSchedule(step, queueName, key))) {
          throw new BoardError('JOB_SCHEDULER_EXISTS');
        }
        const known = ifAbsent === true ? undefined : await lockedSchedule(step, queueName, key);
        if (ifUnchanged !== undefined && known?.version !== ifUnchanged) {
          throw new BoardError('JOB_CHANGED');
        }
        const data = values.stored(
          { queueName, scheduleKey: key },
          sent ?? null,
          known && { text: known.texts.data },
          raw,
        );
        const options = withStoredDigits(
          scheduleOptions(known?.options ?? {}, body),
          parseExact(known?.texts.options ?? 'null'),
          'options',
        ) as object;
        try {
          // The library parses the expression first, and only parsing is rate-limited.
          const { kept } = await parsing.run(() => ({
            kept: instance.schedule?.(queueName, cron, data ?? null, {
              ...options,
              key,
              tz,
            }),
          }));
          await kept;
        } catch (error) {
          throw scheduleError(error, cron);
        }
        const schedule = await schedules.find(schema, queueName, key);
        if (!schedule) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
        return schedule;
      });
      return { schedule: shownSchedule(stored, values, raw) };
    },

    /** Removes the schedule with this key. */
    removePgqSchedule({ request, params: { queueName }, body: { key } }) {
      return schemas.open(request, queueName, ['unschedule'], async (step) => {
        const { schema, instance } = step;
        const known =
          schema.state.features.schedules && (await lockedSchedule(step, queueName, key));
        if (!known) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
        await instance.unschedule?.(queueName, key);
        return { requested: 1, affected: 1 };
      });
    },
  } satisfies Partial<EngineHandlers<'pgq'>>;
}
