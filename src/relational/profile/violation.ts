/** Shared parts of the profile checks: the columns to check and the violations to report. */

import type { PhysicalColumn, PhysicalSchema, TableRef } from '../compile/physical.ts';
import { columnAlias } from '../compile/row-channel.ts';
import { isUuidBytes } from '../compile/values/uuid-bytes.ts';
import { type Executor, plainStatement } from '../read/executor.ts';
import type { ProfileViolation } from '../../schema/index.ts';

export type { ProfileRule, ProfileViolation } from '../../schema/index.ts';

/** A query of a profile check. Rows arrive as arrays or as objects, so that the query states the order of its columns. */
interface ProfileQuery {
  readonly text: string;
  readonly columns: readonly string[];
}

/** A row by the names of its columns. */
export interface ProfileRow {
  readonly [column: string]: unknown;
}

/** Runs a query with its values. */
export type RunProfileQuery = (
  query: ProfileQuery,
  values?: readonly (string | null)[],
) => Promise<readonly ProfileRow[]>;

/** Deviations of a database from its family's profile, for the tables of `physical`. */
export type CheckProfile = (
  run: RunProfileQuery,
  physical: PhysicalSchema,
) => Promise<ProfileViolation[]>;

/** A column that is searched in any case. */
export type SearchedColumn = Pick<ProfiledColumn, 'table' | 'name' | 'where'>;

/** The columns that have no index for such a search, with the statement that makes one. */
export type CheckSearch = (
  run: RunProfileQuery,
  columns: readonly SearchedColumn[],
) => Promise<ProfileViolation[]>;

/** Composes a query from the expressions of its columns and the clauses after the select list. */
export function profileQuery(
  columns: { readonly [column: string]: string },
  clauses: string,
): ProfileQuery {
  const list = Object.values(columns).map(
    (expression, at) => `${expression} as ${columnAlias(at)}`,
  );
  return { text: `select ${list.join(', ')} ${clauses}`, columns: Object.keys(columns) };
}

/** Runs profile queries on an executor. */
export function profileRunner(executor: Executor): RunProfileQuery {
  return async ({ text, columns }, values = []) => {
    const rows = await executor.run(plainStatement(text, values), values);
    return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));
  };
}

/** A column to check. */
export interface ProfiledColumn {
  readonly table: TableRef;
  readonly name: string;
  readonly where: string;
  /** The field of the column; `null` for a column used only in joins. */
  readonly field: PhysicalColumn | null;
}

/** The columns of fields and joins by table, without duplicates. */
export function profiledTables(physical: PhysicalSchema): ProfiledColumn[][] {
  const tables = new Map<string, Map<string, ProfiledColumn>>();
  const add = (column: ProfiledColumn) => {
    const key = qualified(column.table);
    const columns = tables.get(key) ?? new Map<string, ProfiledColumn>();
    tables.set(key, columns);
    if (!columns.has(column.name)) columns.set(column.name, column);
  };
  for (const { model, table, columns } of physical.values()) {
    for (const field of columns.values()) {
      if (field.expression) continue;
      add({ table, name: field.name, where: `${model}.${field.path}`, field: asHeld(field) });
    }
  }
  for (const { table, relations } of physical.values()) {
    for (const { hops } of relations.values()) {
      let before = table;
      for (const hop of hops) {
        for (const name of hop.from) add(joining(before, name));
        for (const name of hop.to) add(joining(hop.table, name));
        before = hop.table;
      }
    }
  }
  return [...tables.values()].map((columns) => [...columns.values()]);
}

/** A UUID that is held as bytes is a column of bytes to the database. */
function asHeld(field: PhysicalColumn): PhysicalColumn {
  return isUuidBytes(field) ? { ...field, kind: 'binary', storage: 'native' } : field;
}

function joining(table: TableRef, name: string): ProfiledColumn {
  return { table, name, where: `${qualified(table)}.${name}`, field: null };
}

function qualified(table: TableRef): string {
  return table.schema === undefined ? table.name : `${table.schema}.${table.name}`;
}

/** The violation of a column that does not exist. */
export function missingColumn({ where, table, name }: ProfiledColumn): ProfileViolation {
  const detail = `table ${qualified(table)} has no column ${name}; add it or correct the declaration`;
  return { rule: 'missing', where, detail };
}

/** The violation of a column whose type does not match its kind. */
export function wrongType(where: string, type: string, wanted: string): ProfileViolation {
  return { rule: 'column-type', where, detail: `type ${type}; the profile requires ${wanted}` };
}

/** The violation of an enum column, if it gives a field its order and has the declared members in another order. */
export function memberViolations(
  { where, field }: ProfiledColumn,
  found: readonly string[],
): ProfileViolation[] {
  const declared = field?.members ?? [];
  const positions = declared.map((member) => found.indexOf(member));
  if (positions.every((position, at) => position > (positions[at - 1] ?? -1))) return [];
  const detail = `members ${found.join(', ')}; the profile requires the declared order ${declared.join(', ')}: correct one of them, or add a portableOrderField`;
  return [{ rule: 'enum-order', where, detail }];
}

/** Whether a version is at least `lowest`, compared number by number. */
export function isAtLeast(version: string, lowest: readonly number[]): boolean {
  const numbers = version.match(/\d+/g)?.map(Number) ?? [];
  for (const [index, wanted] of lowest.entries()) {
    const actual = numbers[index] ?? 0;
    if (actual !== wanted) return actual > wanted;
  }
  return true;
}

/** Whether a time zone name of a server means UTC. */
export function isUtc(zone: string): boolean {
  return /^(?:(?:Etc\/)?(?:UTC|UCT|Universal|Zulu|GMT|Greenwich)|GMT0|[+-]?00:00|0)$/i.test(zone);
}
