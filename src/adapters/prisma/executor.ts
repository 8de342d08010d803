/** Runs statements on a Prisma client, and the client's own queries, within one request's time limit. */

import {
  type Executor,
  type Rows,
  type StatementText,
  type Stop,
  rowArrays,
} from '../../relational/index.ts';
import { configurationError } from '../../schema/index.ts';
import { isCancelable, stoppedBy } from './cancelable.ts';
import { type PrismaClientLike, inTransaction, isTransaction } from './client.ts';
import { withDatabaseCode } from './prisma-error.ts';
import { hasReplicas } from './replicas.ts';

/** Milliseconds that the client waits longer than the server, whose own error is more specific. */
const graceMs = 1000;

/** The number of parameters of a prepared statement fits in 16 bits. */
const maxValues = 65_535;

/** A whole number beyond 32 bits as a `bigint`: the client would bind it as a double, which MySQL refuses as an offset. */
const exactNumber = (value: unknown): unknown =>
  Number.isSafeInteger(value) && Math.abs(Number(value)) > 0x7f_ff_ff_ff
    ? BigInt(Number(value))
    : value;

/** Runs statements on a client or the client of an interactive transaction. */
export class PrismaExecutor implements Executor {
  readonly concurrent: boolean;
  readonly server: object;
  readonly stops: boolean;
  readonly client: PrismaClientLike;
  readonly oneServer: Executor['oneServer'];

  constructor(client: PrismaClientLike, concurrent: boolean, server: object = client) {
    this.client = client;
    this.concurrent = concurrent;
    this.server = server;
    // In a transaction, the client may run a statement of the host in the context of a request.
    this.stops = isCancelable(client) && !isTransaction(client);
    this.oneServer = hasReplicas(client)
      ? (work) => work(new PrismaExecutor(client.$replica(), concurrent))
      : undefined;
  }

  /** @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the host has added more values than the client can bind */
  async run({ text }: StatementText, values: readonly unknown[], stop?: Stop): Promise<Rows> {
    if (values.length > maxValues) {
      throw configurationError(
        `The request has ${values.length} values; Prisma binds at most ${maxValues}. Replace the list of transformPlan by a condition through a relation.`,
      );
    }
    const bound = values.map(exactNumber);
    const rows = await this.query((client) => client.$queryRawUnsafe(text, ...bound), stop);
    return rowArrays(rows as readonly object[]);
  }

  /** Runs one of the client's own queries; its errors carry the database's error code. */
  async query<T>(work: (client: PrismaClientLike) => PromiseLike<T>, stop?: Stop): Promise<T> {
    try {
      if (!stop || !this.stops) return await work(this.client);
      return await stoppedBy(stop, () => work(this.client));
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
