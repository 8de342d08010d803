/** What the three families differ in, behind one interface: catalogue, DDL, reading and writing rows. */

import type { Knex } from 'knex';
import type { CompanionColumn, CompanionTask } from './plan.ts';

/** A column as the catalogue describes it. */
export interface ColumnInfo {
  readonly name: string;
  /** Its type in DDL, with modifiers. */
  readonly type: string;
  /** Character set and collation of a MySQL text column. */
  readonly charset?: string | undefined;
  readonly collation?: string | undefined;
  /** Longest text in characters, where MySQL bounds it. */
  readonly maxLength?: number | undefined;
  /** Whether an update of the row alters the column by itself. */
  readonly touchedOnUpdate?: boolean | undefined;
}

/** A task held against the catalogue. */
export interface TableState {
  readonly task: CompanionTask;
  /** The column of that name; throws `SOURCE_CONFIGURATION_INVALID` when the table lacks it. */
  readonly info: (column: string) => ColumnInfo;
  readonly columns: readonly ColumnInfo[];
  /** Companions the table lacks. */
  readonly missing: readonly CompanionColumn[];
}

/** A statement and its parameters. */
export interface Statement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** One row as read: key parts in a form that the same family binds, texts, and what is stored. */
export interface ReadRow {
  readonly keys: readonly unknown[];
  readonly sources: readonly (string | null)[];
  readonly current: readonly (string | null)[];
}

/** One row to write: its companions, and the sources they were made from. */
export interface WriteRow {
  readonly keys: readonly unknown[];
  readonly sources: readonly (string | null)[];
  readonly values: readonly (string | null)[];
}

/** Which rows a pass reads: those that lack a companion, or all that have something to compare. */
export type PassMode = 'fill' | 'recheck';

/** One family. */
export interface CompanionDialect {
  readonly family: 'postgresql' | 'mysql' | 'sqlite';
  quote(name: string): string;
  /** Columns of the table, none when there is no such table. */
  columns(knex: Knex, task: CompanionTask): Promise<readonly ColumnInfo[]>;
  /** Whether a column of that type can hold a companion. */
  holdsText(column: ColumnInfo): boolean;
  /** Names that are one name to the family have one form. */
  sameName(name: string): string;
  /** The statements that add the missing columns, each safe to run on a table in use. */
  addColumns(state: TableState, server: ServerInfo): readonly string[];
  /** Runs one of them, waiting for the table at most `lockTimeoutMs`. */
  alter(knex: Knex, sql: string, lockTimeoutMs: number): Promise<void>;
  countRows(state: TableState, mode: PassMode): string;
  readRows(
    state: TableState,
    mode: PassMode,
    after: readonly unknown[] | null,
    limit: number,
  ): Statement;
  /** Writes rows given in key order, each only where its sources are still what was read. */
  writeRows(state: TableState, rows: readonly WriteRow[]): Statement;
  /** Most rows that one statement takes. */
  maxRows(state: TableState): number;
  createIndex(state: TableState, companion: CompanionColumn, name: string): string;
  /** The table's index of that name, if there is one. */
  findIndex(knex: Knex, state: TableState, name: string): Promise<FoundIndex | null>;
  /** Most bytes of an index name. */
  readonly maxNameBytes: number;
  server(knex: Knex): Promise<ServerInfo>;
  rows(answer: unknown): readonly { readonly [column: string]: unknown }[];
  affected(answer: unknown): number;
  /** Whether the same statement may succeed a moment later: a lock not had, a deadlock. */
  isTransient(error: unknown): boolean;
  /** Driver options of a read. */
  readonly readOptions: { readonly [option: string]: unknown };
}

/** An index of the catalogue. */
export interface FoundIndex {
  /** The statement that drops it, where an interrupted build left it unusable. */
  readonly dropFirst: string | null;
}

/** What of the server decides on the SQL. */
export interface ServerInfo {
  /** The collation of companion columns, where DDL names it. */
  readonly collation: string;
}

/** The quoted table. */
export function tableSql(dialect: CompanionDialect, task: CompanionTask): string {
  const { schema, name } = task.table;
  return schema === undefined
    ? dialect.quote(name)
    : `${dialect.quote(schema)}.${dialect.quote(name)}`;
}

/** The condition of a pass: in every family a row with a source and no companion is to be filled. */
export function passCondition(
  dialect: CompanionDialect,
  task: CompanionTask,
  mode: PassMode,
): string {
  const parts = task.companions.map(({ source, column }) => {
    const [from, to] = [`t.${dialect.quote(source)}`, `t.${dialect.quote(column)}`];
    return mode === 'fill'
      ? `(${to} IS NULL AND ${from} IS NOT NULL)`
      : `${to} IS NOT NULL OR ${from} IS NOT NULL`;
  });
  return `(${parts.join(' OR ')})`;
}

/** How one family writes the parts of a read. */
export interface ReadParts {
  readonly key: (column: string) => string;
  readonly source: (companion: CompanionColumn) => string;
  /** The condition on the key of the rows after a position, and its parameters. */
  readonly after: (values: readonly unknown[]) => Statement;
}

/** `k0..`, `s0..`, `c0..` of the rows after a key, in key order. */
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

/** A property of a driver's error or answer, read without trusting its shape. */
export function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { readonly [name: string]: unknown })[name]
    : undefined;
}
