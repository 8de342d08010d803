/** The steps of every command: schema, write permission, queue, and translation of library errors. */

import { codeOf, errorCauses, postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import { BoardError, type HookRequest, type RunWithin } from '../../core/index.ts';
import type { NamedRow } from '../connect/read-channel.ts';
import type { Installation, OpenSchema } from '../listings/installation.ts';
import type { CommandDatabase } from '../connect/command-database.ts';
import type { PgBossInstance, PgBossTransaction } from '../connect/pg-boss.ts';
import { isMisfit } from '../connect/read-errors.ts';
import type { Authorised, JobSchema, VisibleQueues } from '../listings/visible-queues.ts';
import type { Writer } from '../schema/writer.ts';

/** A queue that was not made for the library may have a name that it does not accept. */
function refusedName(message: string, cause: unknown): BoardError {
  return new BoardError('INVALID_QUERY_PARAM', {
    code: 'INVALID_REQUEST',
    options: { field: 'queueName' },
    message,
    cause,
  });
}

/** Translates errors of the database or the library during a command; others pass unchanged. */
function commandError(error: unknown, queueName: string): unknown {
  if (postgresqlErrorClass(error) === 'forbidden') {
    return new BoardError('PGQ_WRITES_DISABLED', {
      message: { key: 'PGQ_WRITER_UNAVAILABLE' },
      cause: error,
    });
  }
  if (error instanceof Error && /^Queue .* (does not exist|not found)$/.test(error.message)) {
    return new BoardError('QUEUE_NOT_FOUND', { cause: error });
  }
  const isName = error instanceof Error && error.message.startsWith('Name ');
  if (isName && codeOf(error) === 'ERR_ASSERTION') return refusedName(error.message, error);
  // The library keeps queues in an object, where it finds members of every object instead.
  if (queueName in Object.prototype && isMisfit(error) && !(error instanceof BoardError)) {
    return refusedName('Name must not be that of a member of every JavaScript object', error);
  }
  // foreign_key_violation: the queue has been deleted since.
  const { constraint } = error as { readonly constraint?: unknown };
  if (
    sqlState(error) === '23503' &&
    ['q_fkey', 'schedule_name_fkey'].includes(String(constraint))
  ) {
    return new BoardError('QUEUE_NOT_FOUND', { cause: error });
  }
  return error;
}

/** The name of an object that PostgreSQL does not find, in its message. */
const notFound = /^(?:function|relation|column|type|schema|operator) "?(.+?)"? does not exist$/;

/** A statement of the library that does not fit the schema, although the board can read it. */
function incompatible(error: unknown, { version }: OpenSchema['state']): BoardError {
  const [message] = errorCauses(error).flatMap((cause) => notFound.exec(cause.message)?.[1] ?? []);
  const options = { found: version, missing: message?.slice(0, maxMissingLength) ?? '?' };
  return new BoardError('PGQ_WRITES_DISABLED', {
    message: { key: 'PGQ_SCHEMA_INCOMPATIBLE', options },
    cause: error,
  });
}

/** Maximum length of the name of a missing object in a response. */
const maxMissingLength = 200;

/** A command in a transaction. */
export interface CommandStep {
  /** The schema, read within the transaction. */
  readonly schema: JobSchema;
  /** Runs the library's methods in the transaction, with `transaction` as their options. */
  readonly instance: PgBossInstance;
  readonly transaction: PgBossTransaction;
  /** The instance of the host, which tells its workers of new jobs. */
  readonly own: PgBossInstance | undefined;
}

/** Runs statements of a run in the transaction of a part. */
export const inStep =
  ({ transaction }: CommandStep): RunWithin =>
  async (text, values) =>
    (await transaction.db.executeSql(text, [...values])).rows as NamedRow[];

/** Runs one transaction of a command. */
export type RunStep = <Answer>(step: (within: CommandStep) => Promise<Answer>) => Promise<Answer>;

/** Opens schemas for commands. */
export class WritableSchemas {
  readonly #installation: Installation;
  readonly #queues: VisibleQueues;
  readonly #writer: Writer;
  readonly #database: CommandDatabase;
  readonly #changed: () => void;

  /** `changed` is called after each command, whatever its outcome. */
  constructor(
    installation: Installation,
    queues: VisibleQueues,
    writer: Writer,
    database: CommandDatabase,
    changed: () => void,
  ) {
    this.#changed = changed;
    this.#installation = installation;
    this.#queues = queues;
    this.#writer = writer;
    this.#database = database;
  }

  /** Whether the board serves the queue, and may write to the schema now. */
  async mayWrite(queueName: string): Promise<boolean> {
    if (!this.#queues.serves(queueName)) return false;
    return this.#installation.open(async ({ state }) => {
      const { closed, instance } = await this.#writer.gate(state);
      return !closed && instance !== undefined;
    });
  }

  /** As `openSteps`, for a command of one transaction. */
  open<Answer>(
    request: HookRequest,
    queueName: string,
    methods: readonly (keyof PgBossInstance)[],
    command: (within: CommandStep) => Promise<Answer>,
  ): Promise<Answer> {
    return this.openSteps(request, queueName, methods, (run) => run(command));
  }

  /**
   * Checks schema and write permission, and runs the command on a visible queue with the named library methods.
   *
   * @throws {BoardError} PGQ_WRITES_DISABLED when the board may not write to the schema, with the reason as its message
   */
  openSteps<Answer>(
    request: HookRequest | Authorised,
    queueName: string,
    methods: readonly (keyof PgBossInstance)[],
    command: (run: RunStep) => Promise<Answer>,
  ): Promise<Answer> {
    let isRepeated = false;
    return this.#installation.open(async (opened) => {
      const { closed, instance, within } = await this.#writer.gate(opened.state);
      const lacking = !instance || methods.some((name) => typeof instance[name] !== 'function');
      if (closed || lacking) {
        throw new BoardError('PGQ_WRITES_DISABLED', {
          message: closed ?? { key: 'PGQ_WRITER_UNAVAILABLE' },
        });
      }
      const schema = await this.#queues.require(opened, request, queueName);
      const run: RunStep = (step) =>
        this.#database.transaction(({ db, session }) =>
          step({
            schema: { ...schema, read: (work) => work(session) },
            instance: within(db),
            transaction: { db },
            own: this.#writer.own,
          }),
        );
      try {
        return await command(run);
      } catch (error) {
        const isMisfitting = isMisfit(error) && !(error instanceof BoardError);
        if (isMisfitting) this.#queues.forget(queueName);
        const told = commandError(error, queueName);
        if (told !== error || !isMisfitting) throw told;
        // At first the schema is read again, and the command repeated.
        if (isRepeated) throw incompatible(error, opened.state);
        isRepeated = true;
        throw error;
      } finally {
        this.#changed();
      }
    });
  }
}
