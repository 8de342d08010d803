/** The interface of a family for the migration: catalogue, DDL, reading and writing rows. */

import type { Knex } from 'knex';
import type { DatabaseFamily } from '../../rules/index.ts';
import { finalSigma } from '../../schema/index.ts';
import type { CompanionColumn, CompanionTask } from './plan.ts';

/** A column in the catalogue. */
export interface ColumnInfo {
  readonly name: string;
  /** Its type in DDL, with modifiers. */
  readonly type: string;
  /** Character set and collation of a MySQL text column. */
  readonly charset?: string | undefined;
  readonly collation?: string | undefined;
  /** Maximum length in characters of a MySQL text column. */
  readonly maxLength?: number | undefined;
  /** Whether the database sets the column on every update of the row (`ON UPDATE CURRENT_TIMESTAMP`). */
  readonly touchedOnUpdate?: boolean | undefined;
}

/** A task with the catalogue information of its table. */
export interface TableState {
  readonly task: CompanionTask;
  /** Column by name. @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the table does not have it. */
  readonly info: (column: string) => ColumnInfo;
  readonly columns: readonly ColumnInfo[];
  /** Companion columns that the table does not have yet. */
  readonly missing: readonly CompanionColumn[];
}

/** A statement and its parameters. */
export interface Statement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** A row as read: key parts that the same family can bind again, source values, and stored companions. */
export interface ReadRow {
  readonly keys: readonly unknown[];
  readonly sources: readonly (string | null)[];
  readonly current: readonly (string | null)[];
}

/** A row to write: its new companions, and the source values they were computed from. */
export interface WriteRow {
  readonly keys: readonly unknown[];
  readonly sources: readonly (string | null)[];
  readonly values: readonly (string | null)[];
}

/** `fill` reads the rows without a companion, `recheck` all rows that have a source value or a companion. */
export type PassMode = 'fill' | 'recheck';

/** How Knex connects to a family. */
interface KnexNames {
  /** Names of Knex's dialects. */
  readonly dialects: readonly string[];
  /** The client, which is also the name of the driver's package. */
  readonly client: string;
  /** The start of the URL of a database. */
  readonly scheme: RegExp;
}

/** The operations of one family. */
export interface CompanionDialect {
  readonly family: DatabaseFamily;
  readonly knex: KnexNames;
  quote(name: string): string;
  /** Columns of the table; empty if the table does not exist. */
  columns(knex: Knex, task: CompanionTask): Promise<readonly ColumnInfo[]>;
  /** Whether a column of this type can store a companion. */
  holdsText(column: ColumnInfo): boolean;
  /** Normalizes a name, so that names that the family treats as equal become equal strings. */
  sameName(name: string): string;
  /** The statements that add the missing columns. Each is safe on a table in use. */
  addColumns(state: TableState, server: ServerInfo): readonly string[];
  /** Runs one of these statements and waits for the table lock for at most `lockTimeoutMs`. */
  alter(knex: Knex, sql: string, lockTimeoutMs: number): Promise<void>;
  readRows(
    state: TableState,
    mode: PassMode,
    after: readonly unknown[] | null,
    limit: number,
  ): Statement;
  /** Updates rows, given in key order. A row is skipped if its source values have changed since the read. */
  writeRows(state: TableState, rows: readonly WriteRow[]): Statement;
  /** Maximum number of rows of one update. */
  maxRows(state: TableState): number;
  createIndex(state: TableState, companion: CompanionColumn, name: string): string;
  findIndex(knex: Knex, state: TableState, name: string): Promise<FoundIndex | null>;
  /** Maximum length of an index name in bytes. */
  readonly maxNameBytes: number;
  server(knex: Knex): Promise<ServerInfo>;
  rows(answer: unknown): readonly { readonly [column: string]: unknown }[];
  affected(answer: unknown): number;
  /** Whether a retry may succeed, as after a lock timeout or a deadlock. */
  isTransient(error: unknown): boolean;
  /** Driver options for reads. */
  readonly readOptions: { readonly [option: string]: unknown };
}

/** An index in the catalogue. */
interface FoundIndex {
  /** The statement that drops the index if an interrupted build left it invalid, otherwise `null`. */
  readonly dropFirst: string | null;
}

/** Properties of the server that determine the SQL. */
interface ServerInfo {
  /** The collation of companion columns, as DDL writes it. */
  readonly collation: string;
}

/** The quoted name of the table. */
export function tableSql(dialect: CompanionDialect, task: CompanionTask): string {
  const { schema, name } = task.table;
  return schema === undefined
    ? dialect.quote(name)
    : `${dialect.quote(schema)}.${dialect.quote(name)}`;
}

/**
 * The condition of the rows that a pass reads. Folded text with a final sigma was written by a version that kept that
 * letter, so it is filled again.
 */
function passCondition(dialect: CompanionDialect, task: CompanionTask, mode: PassMode): string {
  const parts = task.companions.map(({ role, source, column }) => {
    const [from, to] = [`t.${dialect.quote(source)}`, `t.${dialect.quote(column)}`];
    if (mode === 'recheck') return `${to} IS NOT NULL OR ${from} IS NOT NULL`;
    const empty = `(${to} IS NULL AND ${from} IS NOT NULL)`;
    return role === 'folded' ? `${empty} OR ${to} LIKE '%${finalSigma}%'` : empty;
  });
  return `(${parts.join(' OR ')})`;
}

/** Counts the rows of a pass as `n`. */
export const countStatement = (
  dialect: CompanionDialect,
  { task }: TableState,
  mode: PassMode,
): string =>
  `SELECT count(*) AS n FROM ${tableSql(dialect, task)} AS t WHERE ${passCondition(dialect, task, mode)}`;

/** Names of the values of a written row: keys, source values, companions. */
export const valueNames = ({ task: { keys, companions } }: TableState): readonly string[] => [
  ...keys.map((_, i) => `k${i}`),
  ...companions.map((_, i) => `s${i}`),
  ...companions.map((_, i) => `c${i}`),
];

/** The parts of a read that differ between families. */
interface ReadParts {
  readonly key: (column: string) => string;
  readonly source: (companion: CompanionColumn) => string;
  /** The condition for rows after a key, and its parameters. */
  readonly after: (values: readonly unknown[]) => Statement;
}

/** Selects keys (`k0..`), source values (`s0..`) and companions (`c0..`) of the rows after a key, in key order. */
export function readStatement(
  dialect: CompanionDialect,
  state: TableState,
  mode: PassMode,
  after: readonly unknown[] | null,
  limit: number,
  parts: ReadParts,
): Statement {
  const { task } = state;
  const list = [
    ...task.keys.map((key, i) => `${parts.key(key)} AS k${i}`),
    ...task.companions.map((companion, i) => `${parts.source(companion)} AS s${i}`),
    ...task.companions.map(({ column }, i) => `t.${dialect.quote(column)} AS c${i}`),
  ];
  const position = after === null ? null : parts.after(after);
  const condition = passCondition(dialect, task, mode);
  return {
    sql:
      `SELECT ${list.join(', ')} FROM ${tableSql(dialect, task)} AS t WHERE ${condition}` +
      (position === null ? '' : ` AND ${position.sql}`) +
      ` ORDER BY ${task.keys.map((key) => `t.${dialect.quote(key)}`).join(', ')} LIMIT ${limit}`,
    bindings: position?.bindings ?? [],
  };
}

/** A property of a driver's error or result, whose type is unknown. */
export function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { readonly [name: string]: unknown })[name]
    : undefined;
}
