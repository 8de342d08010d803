/** Runs statements on a Prisma client, and the client's own queries, within one request's time limit. */

import { type Executor, type Rows, type StatementText, rowArrays } from '../../relational/index.ts';
import { configurationError } from '../../schema/index.ts';
import { type PrismaClientLike, inTransaction } from './client.ts';
import { withDatabaseCode } from './prisma-error.ts';
import { hasReplicas } from './replicas.ts';

/** Milliseconds that the client waits longer than the server, whose own error is more specific. */
const graceMs = 1000;

/** The number of parameters of a prepared statement fits in 16 bits. */
const maxValues = 65_535;

/** Runs statements on a client or the client of an interactive transaction. */
export class PrismaExecutor implements Executor {
  readonly concurrent: boolean;
  readonly server: object;
  readonly client: PrismaClientLike;
  readonly oneServer: Executor['oneServer'];

  constructor(client: PrismaClientLike, concurrent: boolean, server: object = client) {
    this.client = client;
    this.concurrent = concurrent;
    this.server = server;
    this.oneServer = hasReplicas(client)
      ? (work) => work(new PrismaExecutor(client.$replica(), concurrent))
      : undefined;
  }

  /** @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the host has added more values than the client can bind */
  async run({ text }: StatementText, values: readonly unknown[]): Promise<Rows> {
    if (values.length > maxValues) {
      throw configurationError(
        `The request has ${values.length} values; Prisma binds at most ${maxValues}. Replace the list of transformPlan by a condition through a relation.`,
      );
    }
    const rows = await this.query((client) => client.$queryRawUnsafe(text, ...values));
    return rowArrays(rows as readonly object[]);
  }

  /** Runs one of the client's own queries; its errors carry the database's error code. */
  async query<T>(work: (client: PrismaClientLike) => PromiseLike<T>): Promise<T> {
    try {
      return await work(this.client);
    } catch (error) {
      throw withDatabaseCode(error);
    }
  }

  transaction<T>(body: (inner: PrismaExecutor) => Promise<T>, timeoutMs: number): Promise<T> {
    const options = { maxWait: timeoutMs, timeout: timeoutMs + graceMs };
    return this.query((client) =>
      inTransaction(
        client,
        (inner) => body(new PrismaExecutor(inner, false, this.server)),
        options,
      ),
    );
  }
}
