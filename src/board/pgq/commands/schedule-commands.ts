/** Commands on schedules through the API of pg-boss, and the preview of an expression. */

import type {
  PgqCommandResponse,
  PgqScheduleOptions,
  PreviewPgqScheduleBody,
} from '../../contract/index.ts';
import {
  DutyCycleQueue,
  QueueFullError,
  postgresqlErrorClass,
  sqlState,
} from '../../../lib/index.ts';
import {
  BoardError,
  type HookRequest,
  isTimeZone,
  mostComputed,
  parseExact,
  withStoredDigits,
} from '../../core/index.ts';
import { requireFeature } from '../listings/installation.ts';
import type { Schedules, StoredSchedule } from '../reads/schedules.ts';
import type { ShownValues } from '../reads/shown-values.ts';
import { claimSchedule, lockSchedule } from './locked-jobs.ts';
import { scheduleOptions } from './send-options.ts';
import type { CommandStep, WritableSchemas } from './writable-schemas.ts';
import type { Writer } from '../schema/writer.ts';

/** The parts of a schedule. */
interface ScheduleInput {
  readonly key: string;
  readonly cron: string;
  readonly tz: string;
  readonly data?: unknown;
  /** Whether the data was sent as a text, with the digits to store. */
  readonly raw: boolean;
  readonly options?: PgqScheduleOptions | undefined;
  readonly ifUnchanged?: string | undefined;
  readonly ifAbsent?: boolean | undefined;
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

/** Commands on schedules. */
export class ScheduleCommands {
  readonly #schemas: WritableSchemas;
  readonly #schedules: Schedules;
  readonly #writer: Writer;
  readonly #values: ShownValues;
  // A rule with almost no matches keeps the parser busy for seconds.
  readonly #parsing = new DutyCycleQueue(mostComputed);

  constructor(schemas: WritableSchemas, schedules: Schedules, writer: Writer, values: ShownValues) {
    this.#values = values;
    this.#schemas = schemas;
    this.#schedules = schedules;
    this.#writer = writer;
  }

  /** Creates or replaces the schedule with this key; stored options that the client does not name stay. */
  upsert(request: HookRequest, queueName: string, input: ScheduleInput): Promise<StoredSchedule> {
    return this.#schemas.open(request, queueName, ['schedule'], async (step) => {
      const { schema, instance } = step;
      requireFeature(schema.state, 'schedules');
      const { key, cron, ifUnchanged, ifAbsent } = input;
      const tz = input.tz.trim() || 'UTC';
      requireReadable(cron, tz);
      if (ifAbsent === true && !(await claimSchedule(step, queueName, key))) {
        throw new BoardError('JOB_SCHEDULER_EXISTS');
      }
      const stored = ifAbsent === true ? undefined : await this.#locked(step, queueName, key);
      if (ifUnchanged !== undefined && stored?.version !== ifUnchanged) {
        throw new BoardError('JOB_CHANGED');
      }
      const data = this.#values.stored(
        { queueName, scheduleKey: key },
        input.data ?? null,
        stored && { text: stored.texts.data },
        input.raw,
      );
      const options = withStoredDigits(
        scheduleOptions(stored?.options ?? {}, input),
        parseExact(stored?.texts.options ?? 'null'),
        'options',
      ) as object;
      try {
        // The library parses the expression first, and only parsing is rate-limited.
        const { kept } = await this.#parsing.run(() => ({
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
      const schedule = await this.#schedules.find(schema, queueName, key);
      if (!schedule) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
      return schedule;
    });
  }

  /** Removes the schedule with this key. */
  remove(request: HookRequest, queueName: string, key: string): Promise<PgqCommandResponse> {
    return this.#schemas.open(request, queueName, ['unschedule'], async (step) => {
      const { schema, instance } = step;
      const known = schema.state.features.schedules && (await this.#locked(step, queueName, key));
      if (!known) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
      await instance.unschedule?.(queueName, key);
      return { requested: 1, affected: 1 };
    });
  }

  /** The schedule, locked; a library that the board does not know writes it on another connection. */
  async #locked(
    step: CommandStep,
    queueName: string,
    key: string,
  ): Promise<StoredSchedule | undefined> {
    if (step.instance !== step.own) await lockSchedule(step, queueName, key);
    return this.#schedules.find(step.schema, queueName, key);
  }

  /** The next runs of an expression. Does not use the database. */
  async preview(
    { expression, tz, count }: PreviewPgqScheduleBody,
    signal: AbortSignal,
  ): Promise<string[]> {
    const previewer = await this.#writer.previewer();
    if (!previewer) throw new BoardError('PGQ_PREVIEW_UNAVAILABLE');
    const timezone = tz?.trim() || 'UTC';
    requireReadable(expression, timezone);
    try {
      const runs = await this.#parsing.run(() =>
        // The turn may come late.
        signal.aborted ? [] : previewer(expression, timezone, count),
      );
      return runs.map((run) => run.toISOString());
    } catch (error) {
      if (error instanceof QueueFullError) throw new BoardError('SCHEDULE_LIMIT', { cause: error });
      throw scheduleError(error, expression);
    }
  }
}
