/** Companion columns on MySQL 8.0 and MariaDB 10.6 and later. */

import type { Knex } from 'knex';
import { property, readStatement, tableSql } from '../../companions/dialect.ts';
import type {
  ColumnInfo,
  CompanionDialect,
  Statement,
  TableState,
  WriteRow,
} from '../../companions/dialect.ts';
import { companionType, keyForm, utf8Text } from './companion-types.ts';
import type { CompanionTask } from '../../companions/plan.ts';

/** ER_LOCK_WAIT_TIMEOUT, ER_LOCK_DEADLOCK. */
const transientCodes = new Set([1205, 1213]);
/** ER_ALTER_OPERATION_NOT_SUPPORTED, ER_ALTER_OPERATION_NOT_SUPPORTED_REASON. */
const notInstantCodes = new Set([1845, 1846]);

const instant = ', ALGORITHM=INSTANT';

export const mysqlCompanions: CompanionDialect = {
  family: 'mysql',
  knex: {
    dialects: ['mysql', 'mysql2', 'mariadb'],
    client: 'mysql2',
    scheme: /^(?:mysql|mariadb):\/\//i,
  },
  maxNameBytes: 64,
  readOptions: {},
  quote,
  sameName: (name) => name.toLowerCase(),
  holdsText: ({ type }) => /^(?:var)?char|text/i.test(type),
  rows: (answer) => property(answer, '0') as readonly { [column: string]: unknown }[],
  affected: (answer) => Number(property(property(answer, '0'), 'affectedRows')),
  isTransient: (error) => transientCodes.has(Number(property(error, 'errno'))),
  maxRows: () => Number.POSITIVE_INFINITY,

  async server(knex: Knex) {
    const [first] = this.rows(await knex.raw('SELECT VERSION() AS version'));
    const mariadb = /mariadb/i.test(String(first?.['version']));
    return { collation: mariadb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin' };
  },

  async columns(knex: Knex, { table }: CompanionTask): Promise<readonly ColumnInfo[]> {
    const answer = await knex.raw(
      `SELECT COLUMN_NAME AS name, COLUMN_TYPE AS type, CHARACTER_SET_NAME AS charset,
              COLLATION_NAME AS collation_name, CHARACTER_MAXIMUM_LENGTH AS max_length, EXTRA AS extra
       FROM information_schema.COLUMNS
       WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?`,
      [table.schema ?? null, table.name],
    );
    return this.rows(answer).map((row) => ({
      name: String(row['name']),
      type: String(row['type']),
      charset: row['charset'] === null ? undefined : String(row['charset']),
      collation: row['collation_name'] === null ? undefined : String(row['collation_name']),
      maxLength: row['max_length'] === null ? undefined : Number(row['max_length']),
      touchedOnUpdate: /on update/i.test(String(row['extra'])),
    }));
  },

  addColumns(state, server) {
    const columns = state.missing.map((companion) => {
      const type = companionType(companion, state.info(companion.source));
      return `ADD COLUMN ${quote(companion.column)} ${type} CHARACTER SET utf8mb4 COLLATE ${server.collation} NULL`;
    });
    return [`ALTER TABLE ${tableSql(this, state.task)} ${columns.join(', ')}${instant}`];
  },

  /** Tries ALGORITHM=INSTANT, then in place without a lock. Never copies the table, which would block writes. */
  async alter(knex, sql, lockTimeoutMs) {
    await knex.transaction(async (transaction) => {
      const [before] = this.rows(await transaction.raw('SELECT @@lock_wait_timeout AS seconds'));
      await transaction.raw(`SET SESSION lock_wait_timeout = ${Math.ceil(lockTimeoutMs / 1000)}`);
      try {
        await transaction.raw(sql);
      } catch (error) {
        if (!notInstantCodes.has(Number(property(error, 'errno')))) throw error;
        await transaction.raw(sql.replace(instant, ', ALGORITHM=INPLACE, LOCK=NONE'));
      } finally {
        await transaction.raw(`SET SESSION lock_wait_timeout = ${Number(before?.['seconds'])}`);
      }
    });
  },

  readRows(state, mode, after, limit) {
    const forms = state.task.keys.map((key) => keyForm(state.info(key), `t.${quote(key)}`));
    return readStatement(this, state, mode, after, limit, {
      key: (column) => keyForm(state.info(column), `t.${quote(column)}`).read,
      source: ({ source }) => utf8Text(`t.${quote(source)}`),
      // Not a row comparison, for which the primary key would not be used.
      after: (values) => {
        const steps = forms.map((form, i) => {
          const equal = forms.slice(0, i).map((each) => `${each.column} = ${each.bound('?')}`);
          return `(${[...equal, `${form.column} > ${form.bound('?')}`].join(' AND ')})`;
        });
        return {
          sql: `(${steps.join(' OR ')})`,
          bindings: forms.flatMap((_, i) => values.slice(0, i + 1)),
        };
      },
    });
  },

  writeRows(state: TableState, rows: readonly WriteRow[]): Statement {
    const { keys, companions } = state.task;
    const forms = keys.map((key) => keyForm(state.info(key), `t.${quote(key)}`));
    const text = 'LONGTEXT CHARACTER SET utf8mb4';
    const columns = [
      ...forms.map((form, i) => `k${i} ${form.json} PATH '$[${i}]'`),
      ...companions.map((_, i) => `s${i} ${text} PATH '$[${keys.length + i}]'`),
      ...companions.map((_, i) => `c${i} ${text} PATH '$[${keys.length + companions.length + i}]'`),
    ];
    const own = state.columns.filter(({ touchedOnUpdate }) => touchedOnUpdate);
    const assignments = [
      ...companions.map(({ column }, i) => `t.${quote(column)} = v.c${i}`),
      // Keeps the value of ON UPDATE columns: filling companions is not a change of the row.
      ...own.map(({ name }) => `t.${quote(name)} = t.${quote(name)}`),
    ];
    const matches = forms.map((form, i) => `${form.column} = ${form.bound(`v.k${i}`)}`);
    // Binary, because a collation may ignore differences in case or trailing spaces.
    const unchanged = companions.map(({ source }, i) => {
      return `CAST(${utf8Text(`t.${quote(source)}`)} AS BINARY) <=> CAST(v.s${i} AS BINARY)`;
    });
    const data = rows.map((row) => [...row.keys, ...row.sources, ...row.values]);
    return {
      sql:
        `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (${columns.join(', ')})) AS v` +
        ` STRAIGHT_JOIN ${tableSql(this, state.task)} AS t ON ${matches.join(' AND ')}` +
        ` SET ${assignments.join(', ')} WHERE ${unchanged.join(' AND ')}`,
      bindings: [JSON.stringify(data)],
    };
  },

  createIndex(state, companion, name) {
    const { column } = companion;
    const existing = state.columns.find((each) => each.name.toLowerCase() === column.toLowerCase());
    const type = existing?.type ?? companionType(companion, state.info(companion.source));
    // An index entry has at most 768 characters of utf8mb4; text columns require an explicit prefix.
    const prefix = /text/i.test(type) ? '(768)' : '';
    return `CREATE INDEX ${quote(name)} ON ${tableSql(this, state.task)} (${quote(column)}${prefix}) ALGORITHM=INPLACE LOCK=NONE`;
  },

  async findIndex(knex, { task }, name) {
    const answer = await knex.raw(
      `SELECT 1 FROM information_schema.STATISTICS
       WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ? AND INDEX_NAME = ?`,
      [task.table.schema ?? null, task.table.name, name],
    );
    return this.rows(answer).length > 0 ? { dropFirst: null } : null;
  },
};

function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
