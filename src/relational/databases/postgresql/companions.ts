/** Companion columns on PostgreSQL 14 and later. */

import type { Knex } from 'knex';
import { postgresqlErrorClass } from '../../../lib/index.ts';
import { property, readStatement, tableSql, valueNames } from '../../companions/dialect.ts';
import type {
  ColumnInfo,
  CompanionDialect,
  Statement,
  TableState,
  WriteRow,
} from '../../companions/dialect.ts';
import type { CompanionColumn, CompanionTask } from '../../companions/plan.ts';

export const postgresqlCompanions: CompanionDialect = {
  family: 'postgresql',
  knex: { dialects: ['postgresql'], client: 'pg', scheme: /^postgres(?:ql)?:\/\//i },
  maxNameBytes: 63,
  readOptions: {},
  quote,
  sameName: (name) => name,
  holdsText: ({ type }) => type === 'text' || type.startsWith('character varying'),
  server: async () => ({ collation: '"C"' }),
  rows: (answer) => property(answer, 'rows') as readonly { [column: string]: unknown }[],
  affected: (answer) => Number(property(answer, 'rowCount')),
  isTransient: (error) => postgresqlErrorClass(error) === 'conflict',
  maxRows: () => Number.POSITIVE_INFINITY,

  async columns(knex: Knex, task: CompanionTask) {
    const answer = await knex.raw(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
       WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped`,
      [tableSql(this, task)],
    );
    return this.rows(answer) as unknown as readonly ColumnInfo[];
  },

  /** One ALTER, so that the table is locked once. Nullable columns without default require no rewrite. */
  addColumns(state, server) {
    const columns = state.missing.map(
      ({ column }) => `ADD COLUMN IF NOT EXISTS ${quote(column)} text COLLATE ${server.collation}`,
    );
    const table = tableSql(this, state.task);
    return [
      `ALTER TABLE ${table} ${columns.join(', ')}`,
      // Without statistics the planner assumes few nulls and would sort the table for each batch.
      `ANALYZE ${table} (${state.missing.map(({ column }) => quote(column)).join(', ')})`,
    ];
  },

  /** The lock timeout prevents a queued ALTER from blocking all later queries of the table. */
  async alter(knex, sql, lockTimeoutMs) {
    await knex.transaction(async (transaction) => {
      await transaction.raw(`SET LOCAL lock_timeout = ${Math.ceil(lockTimeoutMs)}`);
      await transaction.raw(sql);
    });
  },

  readRows(state, mode, after, limit) {
    return readStatement(this, state, mode, after, limit, {
      key: (column) => `t.${quote(column)}::text`,
      source: sourceText,
      after: (values) => ({
        sql: `(${state.task.keys.map((key) => `t.${quote(key)}`).join(', ')}) > (${state.task.keys
          .map((key) => `?::${state.info(key).type}`)
          .join(', ')})`,
        bindings: values,
      }),
    });
  },

  writeRows(state: TableState, rows: readonly WriteRow[]): Statement {
    const { keys, companions } = state.task;
    const names = valueNames(state);
    const rowOfKeys = `(${keys.map((key) => `t.${quote(key)}`).join(', ')})`;
    const boundKeys = `(${keys.map((key) => `?::${state.info(key).type}`).join(', ')})`;
    const conditions = [
      // The range of the batch's keys; without it a large batch would be joined by a full scan.
      `${rowOfKeys} BETWEEN ${boundKeys} AND ${boundKeys}`,
      ...keys.map((key, i) => `t.${quote(key)} = v.k${i}::${state.info(key).type}`),
      ...companions.map((companion, i) => {
        return `${sourceText(companion)} COLLATE "C" IS NOT DISTINCT FROM v.s${i}`;
      }),
    ];
    return {
      sql:
        `UPDATE ${tableSql(this, state.task)} AS t SET ` +
        companions.map(({ column }, i) => `${quote(column)} = v.c${i}`).join(', ') +
        ` FROM unnest(${names.map(() => '?::text[]').join(', ')}) AS v(${names.join(', ')})` +
        ` WHERE ${conditions.join(' AND ')}`,
      bindings: [
        ...keys.map((_, i) => rows.map((row) => row.keys[i])),
        ...companions.map((_, i) => rows.map((row) => row.sources[i])),
        ...companions.map((_, i) => rows.map((row) => row.values[i])),
        ...(rows[0]?.keys ?? []),
        ...(rows.at(-1)?.keys ?? []),
      ],
    };
  },

  createIndex(state, { column, role }, name) {
    // An order places companions that are not filled first, and uses an index of this order only.
    const nulls = role === 'order' ? ' NULLS FIRST' : '';
    return `CREATE INDEX CONCURRENTLY ${quote(name)} ON ${tableSql(this, state.task)} (${quote(column)}${nulls})`;
  },

  async findIndex(knex, { task }, name) {
    const answer = await knex.raw(
      `SELECT i.indisvalid AS valid, quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS sql
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE i.indrelid = to_regclass(?) AND c.relname = ?`,
      [tableSql(this, task), name],
    );
    const [found] = this.rows(answer);
    if (found === undefined) return null;
    const drop = `DROP INDEX CONCURRENTLY ${String(found['sql'])}`;
    return { dropFirst: found['valid'] === true ? null : drop };
  },
};

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Dates and instants are converted through JSON, which is ISO 8601 for every `DateStyle`. */
function sourceText({ field, source }: CompanionColumn): string {
  return field.kind === 'date' || field.kind === 'datetime'
    ? `(to_json(t.${quote(source)}) #>> '{}')`
    : `t.${quote(source)}::text`;
}
