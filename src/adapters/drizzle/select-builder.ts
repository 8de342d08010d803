/** `customize` for Drizzle: the host changes Drizzle's own select builder, and its conditions are AND-ed. */

import { type SQL, type Table, and, sql } from 'drizzle-orm';
import type { MySqlDatabase, MySqlSelect } from 'drizzle-orm/mysql-core';
import type { PgDatabase, PgSelect } from 'drizzle-orm/pg-core';
import type { BaseSQLiteDatabase, SQLiteSelect } from 'drizzle-orm/sqlite-core';
import {
  type Customized,
  type Sql,
  type StatementInputs,
  type StatementText,
  joinsSql,
  plainStatement,
} from '../../relational/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { DrizzleExecutor } from './executor.ts';
import { conditionOf } from './foreign.ts';

/** The builder of a database handle. */
export type DrizzleSelect<Db> =
  Db extends PgDatabase<infer _Q, infer _F, infer _S>
    ? PgSelect
    : Db extends MySqlDatabase<infer _Q, infer _P, infer _F, infer _S>
      ? MySqlSelect
      : Db extends BaseSQLiteDatabase<infer _K, infer _R, infer _F, infer _S>
        ? SQLiteSelect
        : never;

/**
 * Changes a statement before it runs: joins, locks, hints, further conditions. The alias of the root table is its name,
 * so its columns can be used directly. Conditions are AND-ed to the request's; order and window remain the request's.
 */
export type DrizzleCustomize<Db> = (
  builder: DrizzleSelect<Db>,
  statement: { readonly kind: 'data' | 'count' },
) => DrizzleSelect<Db>;

/** The part of the builder that all families share. */
interface AnySelect {
  where(condition: SQL | undefined): this;
  orderBy(...order: SQL[]): this;
  limit(count: number): this;
  offset(count: number): this;
  toSQL(): { readonly sql: string; readonly params: readonly unknown[] };
}

/** Converts Sluice's SQL to Drizzle's, with the values bound. */
function toDrizzle(piece: Sql, inputs: StatementInputs): SQL {
  const chunks: SQL[] = [];
  const walk = (part: Sql) => {
    if (typeof part === 'string') chunks.push(sql.raw(part));
    else if ('read' in part) chunks.push(sql`${sql.param(part.read(inputs))}`);
    else for (const member of part) walk(member);
  };
  walk(piece);
  return sql.join(chunks);
}

/** A statement after the host's hook, with its values; columns keep their order. */
export function customizedStatement<Customize>(
  input: Customized<DrizzleExecutor, Customize>,
  table: Table,
): StatementText {
  const { executor, context, statement, kind, inputs } = input;
  const customize = input.customize as DrizzleCustomize<object>;
  const { parts } = statement;
  const capped = kind === 'count' && parts.limit !== null;
  const columns = Object.fromEntries(
    parts.columns.map((column, index) => [`c${index}`, toDrizzle(column, inputs).as(`c${index}`)]),
  );
  const database = executor.handle as unknown as {
    select(columns: object): { from(source: unknown): { $dynamic(): never } };
  };
  const joins = joinsSql(context, parts.joins);
  const from = parts.joins.length === 0 ? table : sql`${table}${toDrizzle(joins, inputs)}`;
  const builder = database.select(columns).from(from).$dynamic();
  const customized = (customize(builder, { kind }) ?? builder) as unknown as AnySelect;
  if (typeof customized.toSQL !== 'function') {
    throw configurationError('"customize" must return the select builder that it receives');
  }
  const ours = parts.where ? toDrizzle(['(', parts.where, ')'], inputs) : undefined;
  // Drizzle does not parenthesise raw SQL: an OR in the host's condition would otherwise weaken the request's
  // conditions.
  const added = conditionOf(customized);
  customized.where(and(ours, added && sql`(${added})`));
  customized.orderBy(...(parts.orderBy ? [toDrizzle(parts.orderBy, inputs)] : []));
  // A count without a cap is one row.
  customized.limit(parts.limit ?? 1).offset(parts.offset ? inputs.offset : 0);
  const built = customized.toSQL();
  const text = capped ? `select count(*) from (${built.sql}) as counted` : built.sql;
  return plainStatement(text, built.params);
}
