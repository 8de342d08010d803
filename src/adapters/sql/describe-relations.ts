/** Resolves the declared relations of a table to the columns that join them. */

import { knownNames } from '../../lib/index.ts';
import { configurationError } from '../../schema/index.ts';
import type {
  DescribedJoin,
  DescribedTable,
  PhysicalHop,
  TableRef,
} from '../../relational/index.ts';
import {
  type Paths,
  type SqlRelation,
  type SqlTable,
  type SqlTables,
  columnOf,
  listOf,
} from './tables.ts';

/** The table of a model in the database. */
export function tableRefOf({ schema, table }: Pick<SqlTable, 'schema' | 'table'>): TableRef {
  return { schema, name: table };
}

/** Name of a path's column in the database. */
export function columnNameOf(table: SqlTable, path: string): string | undefined {
  if (!Object.hasOwn(table.columns, path)) return undefined;
  return columnOf(table.columns[path] ?? '').column ?? path;
}

/**
 * The relations of a model.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the target of a relation has no table, a path does not exist
 * in its table, or lists of different length are paired
 */
export function describeRelations(
  tables: SqlTables,
  model: string,
  table: SqlTable,
): DescribedTable['relations'] {
  const relations = new Map<string, DescribedJoin>();
  for (const [path, relation] of Object.entries(table.relations ?? {})) {
    relations.set(path, resolved(tables, { model, path, table }, relation));
  }
  return relations;
}

interface RelationContext {
  readonly model: string;
  readonly path: string;
  readonly table: SqlTable;
}

function resolved(
  tables: SqlTables,
  context: RelationContext,
  relation: SqlRelation,
): DescribedJoin {
  const isOne = 'one' in relation;
  if (isOne && 'many' in relation) refuse(context, 'the relation names both "one" and "many".');
  const target = isOne ? relation.one : relation.many;
  const targetTable = Object.hasOwn(tables, target) ? tables[target] : undefined;
  if (!targetTable) {
    refuse(
      context,
      `no table has model "${target}"; there is ${knownNames(target, Object.keys(tables))}.`,
    );
  }
  const own = context.table;
  const from = relation.from ?? own.primaryKey;
  const through = isOne ? undefined : relation.through;
  if (!isOne && !through && relation.to === undefined) {
    refuse(context, `"to" must name the paths of ${target} that refer to ${context.model}.`);
  }
  const to = relation.to ?? targetTable.primaryKey;
  const fromColumns = columnNames(context, own, context.model, from);
  const toColumns = columnNames(context, targetTable, target, to);
  const hops: PhysicalHop[] = through
    ? [
        { table: tableRefOf(through), from: fromColumns, to: listOf(through.from) },
        { table: tableRefOf(targetTable), from: listOf(through.to), to: toColumns },
      ]
    : [{ table: tableRefOf(targetTable), from: fromColumns, to: toColumns }];
  for (const hop of hops) {
    if (hop.from.length !== hop.to.length) {
      refuse(context, `it joins ${hop.from.length} columns with ${hop.to.length}; pair them.`);
    }
  }
  return {
    path: context.path,
    target,
    cardinality: isOne ? 'one' : 'many',
    nullable: isOne && (relation.nullable ?? mayBeAbsent(own, from, targetTable, to)),
    hops,
    ...(isOne && relation.foreignKey && { isEnforced: true }),
  };
}

/** The row may be absent unless the columns are never null and reference the target's primary key. */
function mayBeAbsent(own: SqlTable, from: Paths, target: SqlTable, to: Paths): boolean {
  const isNullable = (path: string) => columnOf(own.columns[path] ?? '').nullable ?? false;
  const key = listOf(target.primaryKey);
  const isKey = listOf(to).length === key.length && listOf(to).every((path) => key.includes(path));
  return !isKey || listOf(from).some(isNullable);
}

function columnNames(
  context: RelationContext,
  table: SqlTable,
  model: string,
  paths: Paths,
): string[] {
  return listOf(paths).map(
    (path) =>
      columnNameOf(table, path) ??
      refuse(
        context,
        `${model} has no column "${path}"; it has ${knownNames(path, Object.keys(table.columns))}.`,
      ),
  );
}

function refuse({ model, path }: RelationContext, message: string): never {
  throw configurationError(`${model}.${path}: ${message}`, { model, path });
}
