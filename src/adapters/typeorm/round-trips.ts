/** Runs named statements past TypeORM's query runner, in one round trip and with TypeORM's log. */

import type { DataSource, QueryRunner } from 'typeorm';
import { oncePer } from '../../lib/index.ts';
import {
  ColumnParsers,
  type NamedRun,
  NamedStatements,
  type Rows,
  StatementNames,
  guardLent,
  lendingOf,
  oneTrip,
} from '../../relational/index.ts';

/** The part of a client of `pg` that is used. */
interface Client {
  getTypeParser?(oid: number, format: 'text'): (text: string) => unknown;
}

const names = new WeakMap<DataSource, NamedStatements>();

/**
 * The names of a DataSource's statements; `undefined` where TypeORM itself must run each statement: for drivers without
 * names, replicas, subscribers that hear of queries, and a limit from which queries are reported as slow.
 */
export function roundTripsOf(dataSource: DataSource): NamedStatements | undefined {
  const { driver, options, subscribers } = dataSource;
  const hears = subscribers.some((one) => one.beforeQuery ?? one.afterQuery);
  const { maxQueryExecutionTime } = options as { readonly maxQueryExecutionTime?: number };
  if (hears || maxQueryExecutionTime || driver.isReplicated) return undefined;
  let known = names.get(dataSource);
  if (!known) {
    const pool = (driver as { readonly master?: unknown }).master;
    const lend = typeof pool === 'object' && pool !== null ? lendingOf(pool) : undefined;
    if (!lend) return undefined;
    guardLent(pool as object);
    known = new NamedStatements(new StatementNames(250), undefined, lend);
    names.set(dataSource, known);
  }
  return known;
}

/** The columns of a client's statements, with the client's own parsers, which a host can set. */
const columnsOf = oncePer((client: Client) =>
  client.getTypeParser
    ? new ColumnParsers((oid) => client.getTypeParser?.(oid, 'text') ?? null)
    : undefined,
);

/** Runs statements on a connection of a query runner; `undefined` where TypeORM must run them. */
export function loggedTrip(
  { logger }: DataSource,
  runner: QueryRunner,
  client: object,
  runs: readonly NamedRun[],
): Promise<readonly Rows[] | undefined> | undefined {
  const known = columnsOf(client);
  const trip = known && oneTrip(client, runs, known);
  if (!trip) return undefined;
  for (const { text, values } of runs) logger.logQuery(text, [...values], runner);
  return trip.catch((error: unknown) => {
    for (const { text, values } of runs) {
      logger.logQueryError(error as Error, text, [...values], runner);
    }
    throw error;
  });
}
