/** Commands on schedules through the API of pg-boss, and the preview of an expression. */

import type { PgqCommandResponse, PgqSchedule } from '../../contract/index.ts';
import { DutyCycleQueue, postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import { BoardError, type HookRequest } from '../../core/index.ts';
import { requireFeature } from '../listings/installation.ts';
import type { Schedules } from '../reads/schedules.ts';
import { type SendOptions, sendOptions } from './send-options.ts';
import type { WritableSchemas } from './writable-schemas.ts';
import type { Writer } from '../schema/writer.ts';

/** The parts of a schedule. */
export interface ScheduleInput {
  readonly key: string;
  readonly cron: string;
  readonly tz: string;
  readonly data?: unknown;
  readonly options?: SendOptions | undefined;
  readonly missed?: 'skip' | 'once' | undefined;
}

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
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch (error) {
    throw invalidSchedule('The time zone is unknown.', error);
  }
}

/** Errors of the parser and the library concern the expression; those of the database do not. */
function scheduleError(error: unknown): unknown {
  const fromDatabase = postgresqlErrorClass(error) !== undefined || sqlState(error) !== undefined;
  if (fromDatabase || error instanceof BoardError || !(error instanceof Error)) return error;
  if (/^Queue .* not found$/.test(error.message)) return error;
  return invalidSchedule(error.message, error);
}

/** Commands on schedules. */
export class ScheduleCommands {
  readonly #schemas: WritableSchemas;
  readonly #schedules: Schedules;
  readonly #writer: Writer;
  // A rule with almost no matches keeps the parser busy for seconds.
  readonly #parsing = new DutyCycleQueue();

  constructor(schemas: WritableSchemas, schedules: Schedules, writer: Writer) {
    this.#schemas = schemas;
    this.#schedules = schedules;
    this.#writer = writer;
  }

  /** Creates or replaces the schedule with this key. */
  upsert(request: HookRequest, queueName: string, input: ScheduleInput): Promise<PgqSchedule> {
    return this.#schemas.open(request, queueName, ['schedule'], async (schema, instance) => {
      requireFeature(schema.state, 'schedules');
      const { key, cron, data, missed } = input;
      const tz = input.tz.trim() || 'UTC';
      requireReadable(cron, tz);
      try {
        // The library parses the expression first, and only parsing is rate-limited.
        const { kept } = await this.#parsing.run(() => ({
          kept: instance.schedule?.(queueName, cron, data ?? null, {
            ...sendOptions(input.options),
            key,
            tz,
            ...(missed !== undefined && { missed }),
          }),
        }));
        await kept;
      } catch (error) {
        throw scheduleError(error);
      }
      const schedule = await this.#schedules.find(schema, queueName, key);
      if (!schedule) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
      return schedule;
    });
  }

  /** Removes the schedule with this key. */
  remove(request: HookRequest, queueName: string, key: string): Promise<PgqCommandResponse> {
    return this.#schemas.open(request, queueName, ['unschedule'], async (schema, instance) => {
      const known =
        schema.state.features.schedules && (await this.#schedules.find(schema, queueName, key));
      if (!known) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
      await instance.unschedule?.(queueName, key);
      return { requested: 1, affected: 1 };
    });
  }

  /** The next runs of an expression. Does not use the database. */
  async preview(expression: string, tz: string | undefined, count: number): Promise<string[]> {
    const previewer = await this.#writer.previewer();
    if (!previewer) throw new BoardError('PGQ_PREVIEW_UNAVAILABLE');
    const timezone = tz?.trim() || 'UTC';
    requireReadable(expression, timezone);
    try {
      const runs = await this.#parsing.run(() => previewer(expression, timezone, count));
      return runs.map((run) => run.toISOString());
    } catch (error) {
      throw scheduleError(error);
    }
  }
}
