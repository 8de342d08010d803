/** Runs statements on Knex, through its pool, transactions and logging. */

import {
  NamedStatements,
  type NamingClient,
  type Rows,
  type StatementText,
  type Stop,
  families,
  rowArrays,
  type FamilyNames,
  familyNamed,
  namesOfAll,
} from '../../../relational/index.ts';
import type { DatabaseFamily } from '../../../rules/index.ts';
import { configurationError } from '../../../schema/index.ts';
import type { SqlExecutor } from './executor.ts';
import { exactQuery } from './mysql.ts';
import { withPoolErrors } from './pool-errors.ts';
import { statementNames, exactTypes } from './postgresql.ts';

/** The part of a Knex instance, or of its transaction, that is used. */
export interface KnexInstance {
  (...given: never[]): unknown;
  readonly client: object;
  raw(sql: string): KnexRaw;
  transaction<T>(body: (transaction: KnexInstance) => Promise<T>): Promise<T>;
  readonly isTransaction?: boolean;
}

interface KnexRaw extends PromiseLike<unknown> {
  options(options: object): KnexRaw;
  connection(connection: object): KnexRaw;
}

interface KnexClient {
  readonly driverName: string;
  readonly config: object;
  readonly connectionSettings?: object;
  /** A connection of the pool, or that of the transaction. */
  acquireConnection(): Promise<NamingClient>;
  releaseConnection(connection: NamingClient): Promise<unknown>;
}

/** Runs a statement of Knex. */
type Send = (raw: KnexRaw) => PromiseLike<unknown>;

/** The drivers under Knex. */
const drivers: FamilyNames = {
  postgresql: ['pg'],
  mysql: ['mysql2'],
  sqlite: ['better-sqlite3', 'sqlite3'],
};

/** How the drivers of a family run a statement. */
interface Form {
  /** Whether rows are objects. */
  readonly asObjects?: boolean;
  run(
    knex: KnexInstance,
    statement: StatementText,
    values: unknown[],
    names: NamedStatements,
    send: Send,
  ): Promise<Rows>;
}

const forms: Readonly<Record<DatabaseFamily, Form>> = {
  postgresql: {
    run: async (knex, statement, values, names, send) => {
      // A transaction has one connection, which only its own statements use.
      if (!knex.isTransaction) void names.counted();
      const run = async (name: string | undefined) => {
        const query = { values, rowMode: 'array', types: exactTypes, name };
        const result = await send(knex.raw(escaped(statement.text)).options(query));
        return (result as { rows: Rows }).rows;
      };
      const name = names.nameFor(statement);
      if (name === undefined) return run(name);
      return run(name).catch((error: unknown) => {
        // A failed statement has ended the transaction that it ran in.
        if (!names.isRefusal(error, statement) || knex.isTransaction) throw error;
        return run(undefined);
      });
    },
  },
  mysql: {
    run: async (knex, { text }, values, _names, send) => {
      const { connectionSettings = {} } = knex.client as KnexClient;
      const query = bound(knex, text, families.mysql.textValues(values));
      const [rows] = (await send(query.options(exactQuery(connectionSettings)))) as [Rows];
      return rows;
    },
  },
  sqlite: {
    asObjects: true,
    run: async (knex, { text }, values) => rowArrays((await bound(knex, text, values)) as object[]),
  },
};

/** Knex reads a question mark as a placeholder. */
const escaped = (text: string): string => text.replaceAll('?', '\\?');

/** Names and literals of a statement. */
const quoted = /(["'`])[^]*?\1/g;

function bound(knex: KnexInstance, text: string, values: unknown[]): KnexRaw {
  const bindable = text.replaceAll(quoted, escaped);
  return (knex.raw as (sql: string, values: unknown[]) => KnexRaw)(bindable, values);
}

/** An executor on Knex or one of its transactions. */
export function knexExecutor(knex: KnexInstance, named: boolean | undefined): SqlExecutor {
  return executorOn(knex, new NamedStatements(statementNames, named, (work) => lend(knex, work)));
}

/** Runs a statement on a connection that is known while it runs, so that it can be ended. */
function stoppable(
  knex: KnexInstance,
  family: DatabaseFamily,
  stop: Stop,
  { text }: StatementText,
  raw: KnexRaw,
): Promise<unknown> {
  return lend(knex, (connection) => {
    const on = families[family].timeLimit.stoppable(connection);
    const send = async () => raw.connection(connection);
    return on ? on(stop, () => text, send) : send();
  });
}

/** Lends a connection of Knex's pool, or that of the transaction. */
async function lend<T>(knex: KnexInstance, work: (client: NamingClient) => Promise<T>) {
  const client = knex.client as KnexClient;
  const connection = await client.acquireConnection();
  try {
    return await work(connection);
  } finally {
    await client.releaseConnection(connection);
  }
}

function executorOn(knex: KnexInstance, names: NamedStatements): SqlExecutor {
  const { driverName, config } = knex.client as KnexClient;
  const family = familyNamed(drivers, driverName);
  if (!family) {
    const accepted = namesOfAll(drivers);
    throw configurationError(`Knex runs on ${driverName} here; use one of ${accepted}.`);
  }
  const form = forms[family];
  const { pooled, objectRows } = families[family];
  return withPoolErrors({
    family,
    channel: form.asObjects ? objectRows : undefined,
    concurrent: pooled && !knex.isTransaction,
    stops: pooled,
    server: config,
    run: (statement, values, stop) => {
      const send: Send = (raw) =>
        stop && pooled ? stoppable(knex, family, stop, statement, raw) : raw;
      return form.run(knex, statement, [...values], names, send);
    },
    transaction: (body) => knex.transaction((inner) => body(executorOn(inner, names))),
  });
}
