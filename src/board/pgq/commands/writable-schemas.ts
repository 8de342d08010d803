/** The steps of every command: schema, write permission, queue, and translation of library errors. */

import { postgresqlErrorClass } from '../../../lib/index.ts';
import { BoardError, type HookRequest } from '../../core/index.ts';
import type { Installation, OpenSchema } from '../listings/installation.ts';
import type { PgBossInstance } from '../connect/pg-boss.ts';
import { isMisfit } from '../connect/read-errors.ts';
import type { VisibleQueues } from '../listings/visible-queues.ts';
import type { Writer } from '../schema/writer.ts';

/** Translates errors of the database or the library during a command; others pass unchanged. */
export function commandError(error: unknown): unknown {
  if (postgresqlErrorClass(error) === 'forbidden') {
    return new BoardError('PGQ_WRITES_DISABLED', {
      message: { key: 'PGQ_WRITER_UNAVAILABLE' },
      cause: error,
    });
  }
  if (error instanceof Error && /^Queue .* (does not exist|not found)$/.test(error.message)) {
    return new BoardError('QUEUE_NOT_FOUND', { cause: error });
  }
  return error;
}

/** Opens schemas for commands. */
export class WritableSchemas {
  readonly #installation: Installation;
  readonly #queues: VisibleQueues;
  readonly #writer: Writer;

  constructor(installation: Installation, queues: VisibleQueues, writer: Writer) {
    this.#installation = installation;
    this.#queues = queues;
    this.#writer = writer;
  }

  /**
   * Checks schema and write permission, and runs the command on a visible queue with the named library methods.
   *
   * @throws {BoardError} PGQ_WRITES_DISABLED when the board may not write to the schema, with the reason as its message
   */
  open<Answer>(
    request: HookRequest,
    queueName: string,
    methods: readonly (keyof PgBossInstance)[],
    command: (schema: OpenSchema, instance: PgBossInstance) => Promise<Answer>,
  ): Promise<Answer> {
    return this.#installation.open(async (schema) => {
      const { closed, instance } = await this.#writer.gate(schema.state);
      const lacking = !instance || methods.some((name) => typeof instance[name] !== 'function');
      if (closed || lacking) {
        throw new BoardError('PGQ_WRITES_DISABLED', {
          message: closed ?? { key: 'PGQ_WRITER_UNAVAILABLE' },
        });
      }
      await this.#queues.require(schema, request, queueName);
      try {
        return await command(schema, instance);
      } catch (error) {
        if (isMisfit(error)) this.#queues.forget(queueName);
        throw commandError(error);
      }
    });
  }
}
