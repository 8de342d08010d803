/** Companion columns on SQLite 3.40 and later, through better-sqlite3. */

import type { Knex } from 'knex';
import { property, readStatement, tableSql, valueNames } from '../../companions/dialect.ts';
import type {
  ColumnInfo,
  CompanionDialect,
  Statement,
  TableState,
  WriteRow,
} from '../../companions/dialect.ts';
import type { CompanionTask } from '../../companions/plan.ts';

/** SQLite accepts at most 32,766 parameters in a statement. */
const maxParameters = 32_000;

export const sqliteCompanions: CompanionDialect = {
  family: 'sqlite',
  knex: { dialects: ['sqlite3'], client: 'better-sqlite3', scheme: /^sqlite:/i },
  maxNameBytes: 200,
  // Keeps keys above 2^53 exact.
  readOptions: { safeIntegers: true },
  quote,
  sameName: (name) => name.toLowerCase(),
  holdsText: ({ type }) => /char|clob|text/i.test(type),
  server: async () => ({ collation: 'BINARY' }),
  rows: (answer) => answer as readonly { [column: string]: unknown }[],
  affected: (answer) => Number(property(answer, 'changes')),
  isTransient: (error) => /^SQLITE_(?:BUSY|LOCKED)/.test(String(property(error, 'code'))),
  maxRows: ({ task }) =>
    Math.floor(maxParameters / (task.keys.length + 2 * task.companions.length)),

  async columns(knex: Knex, { table }: CompanionTask) {
    const [parameters, bindings] =
      table.schema === undefined ? ['?', [table.name]] : ['?, ?', [table.name, table.schema]];
    const answer = await knex.raw(
      `SELECT name, type FROM pragma_table_xinfo(${parameters})`,
      bindings,
    );
    return this.rows(answer) as unknown as readonly ColumnInfo[];
  },

  addColumns(state) {
    return state.missing.map(
      ({ column }) => `ALTER TABLE ${tableSql(this, state.task)} ADD COLUMN ${quote(column)} TEXT`,
    );
  },

  async alter(knex, sql) {
    await knex.raw(sql);
  },

  readRows(state, mode, after, limit) {
    return readStatement(this, state, mode, after, limit, {
      key: (column) => `t.${quote(column)}`,
      source: ({ source }) => `CAST(t.${quote(source)} AS TEXT)`,
      after: (values) => ({
        sql: `(${state.task.keys.map((key) => `t.${quote(key)}`).join(', ')}) > (${values.map(() => '?').join(', ')})`,
        bindings: values,
      }),
    });
  },

  writeRows(state: TableState, rows: readonly WriteRow[]): Statement {
    const { keys, companions } = state.task;
    const names = valueNames(state);
    const row = `(${names.map(() => '?').join(', ')})`;
    const conditions = [
      ...keys.map((key, i) => `t.${quote(key)} = v.k${i}`),
      ...companions.map(({ source }, i) => {
        return `CAST(t.${quote(source)} AS TEXT) COLLATE BINARY IS v.s${i}`;
      }),
    ];
    return {
      sql:
        `WITH v(${names.join(', ')}) AS (VALUES ${rows.map(() => row).join(', ')})` +
        ` UPDATE ${tableSql(this, state.task)} AS t SET ` +
        companions.map(({ column }, i) => `${quote(column)} = v.c${i}`).join(', ') +
        ` FROM v WHERE ${conditions.join(' AND ')}`,
      bindings: rows.flatMap((each) => [...each.keys, ...each.sources, ...each.values]),
    };
  },

  createIndex(state, { column }, name) {
    const { schema, name: table } = state.task.table;
    const prefix = schema === undefined ? '' : `${quote(schema)}.`;
    return `CREATE INDEX ${prefix}${quote(name)} ON ${quote(table)} (${quote(column)})`;
  },

  async findIndex(knex, { task }, name) {
    const schema = task.table.schema ?? 'main';
    const answer = await knex.raw(
      `SELECT 1 FROM ${quote(schema)}.sqlite_master WHERE type = 'index' AND name = ?`,
      [name],
    );
    return this.rows(answer).length > 0 ? { dropFirst: null } : null;
  },
};

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
