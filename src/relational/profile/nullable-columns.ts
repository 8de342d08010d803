/**
 * Finds columns that accept nulls, or views that show some, where the schema says that there are none: conditions and
 * orders are written without a place for them, so that pages by cursor would lose these rows.
 */

import type { SchemaRegistry } from '../../schema/index.ts';
import { type LoweringContext, isStored } from '../compile/model-context.ts';
import type { PhysicalModel, TableRef } from '../compile/physical.ts';
import { tableSql } from '../compile/sql-names.ts';
import type { ProfileRow, ProfileViolation, RunProfileQuery } from './violation.ts';
import { profileQuery } from './violation.ts';

/** The columns of a table or view that may be null according to the catalogue, by their names in lower case. */
export interface NullableColumns {
  readonly columns: ReadonlySet<string>;
  /** Those of which the catalogue does not know more than that they may be null. */
  readonly uncertain: ReadonlySet<string>;
}

/** The nullable columns of rows of a catalogue, with `column` and `uncertain`. */
export function nullableOf(rows: readonly ProfileRow[]): NullableColumns {
  const named = (found: readonly ProfileRow[]) =>
    new Set(found.map(({ column }) => String(column).toLowerCase()));
  return {
    columns: named(rows),
    uncertain: named(rows.filter(({ uncertain }) => Number(uncertain) === 1)),
  };
}

/** Reads the nullable columns of a table from the catalogue. */
export type ReadNullable = (run: RunProfileQuery, table: TableRef) => Promise<NullableColumns>;

/** Number of rows that are looked at. */
const sampledRows = 1000;

/** The violations of all models. */
export async function checkNullable(
  run: RunProfileQuery,
  read: ReadNullable,
  context: LoweringContext,
): Promise<ProfileViolation[]> {
  const violations: ProfileViolation[] = [];
  for (const model of context.physical.values()) {
    const required = requiredColumns(model, context.registry);
    if (required.length === 0) continue;
    const { columns, uncertain } = await read(run, model.table);
    const suspects = required.filter(({ name }) => columns.has(name.toLowerCase()));
    const nulls = await nullsOf(run, context, model.table, suspects);
    for (const { where, name } of suspects) {
      const count = nulls.get(name) ?? 0;
      if (count === 0 && uncertain.has(name.toLowerCase())) continue;
      const found = count === 0 ? '' : `, and ${count} of the first ${sampledRows} rows have none`;
      const detail = `the column accepts null${found}; declare the field nullable, or the column not null`;
      violations.push({ rule: 'nullable', where, detail });
    }
  }
  return violations;
}

interface RequiredColumn {
  readonly name: string;
  readonly where: string;
}

/** The columns whose fields are never null: not companions, which may not be filled yet, and not what an ORM rewrites. */
function requiredColumns(
  { model, columns }: PhysicalModel,
  registry: SchemaRegistry,
): RequiredColumn[] {
  const fields = registry.get(model)?.fields ?? [];
  const companions = new Set<string | undefined>();
  for (const { foldedField, portableOrderField } of fields) {
    companions.add(foldedField).add(portableOrderField);
  }
  const required: RequiredColumn[] = [];
  for (const { path, nullable } of fields) {
    const column = columns.get(path);
    if (!column || nullable || companions.has(path) || column.codec || !isStored(column)) continue;
    required.push({ name: column.name, where: `${model}.${path}` });
  }
  return required;
}

/** How many of the first rows have no value, by column. */
async function nullsOf(
  run: RunProfileQuery,
  context: LoweringContext,
  table: TableRef,
  columns: readonly RequiredColumn[],
): Promise<ReadonlyMap<string, number>> {
  if (columns.length === 0) return new Map();
  const { dialect } = context;
  const names: string[] = [];
  const counts: Record<string, string> = {};
  for (const [at, { name }] of columns.entries()) {
    const column = dialect.quote(name);
    names.push(column);
    counts[`n${at}`] = `count(case when ${column} is null then 1 end)`;
  }
  const sample = `select ${names.join(', ')} from ${tableSql(context, table)} limit ${sampledRows}`;
  const [row = {}] = await run(profileQuery(counts, `from (${sample}) as sampled`));
  const nulls = new Map<string, number>();
  for (const [at, { name }] of columns.entries()) nulls.set(name, Number(row[`n${at}`]));
  return nulls;
}
