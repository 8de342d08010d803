/** Resolves Drizzle `relations()` and `manyToMany` declarations to models and joined columns. */

import {
  createTableRelationsHelpers,
  getTableColumns,
  getTableName,
  getTableUniqueName,
  is,
  normalizeRelation,
  One,
  Relations,
} from 'drizzle-orm';
import type { Relation, Table, TablesRelationalConfig } from 'drizzle-orm';
import { configurationError, QueryError, type Refusals } from '../../../schema/index.ts';
import { type ColumnLink, type DrizzleTables, isA } from './describe-metadata.ts';
import type { PathOverride } from './describe-overrides.ts';
import { joinTableLinks } from './describe-join-table.ts';
import { ManyToMany } from './many-to-many.ts';

/**
 * Relations by any name, or in a list: results of `relations()` and `manyToMany()`. Other exports of a schema module,
 * such as tables and enums, are ignored.
 */
export type DrizzleRelations = readonly unknown[] | { readonly [name: string]: unknown };

/** One relation of one model, as joins. */
export interface DescribedRelation {
  readonly path: string;
  readonly target: string;
  readonly cardinality: 'one' | 'many';
  readonly nullable: boolean;
  /** Whether this side has the foreign key; on the other side, a row need not exist. */
  readonly holdsKey: boolean;
  /** `from` are columns of the preceding table, `to` of the joined `table`. */
  readonly hops: readonly ColumnLink[];
}

/** Relations of every model, by path. */
export type DescribedRelations = ReadonlyMap<string, ReadonlyMap<string, DescribedRelation>>;

/** The override of one relation; `false` leaves it out. */
type RelationOverride = (
  model: string,
  path: string,
) => Pick<PathOverride, 'nullable' | 'target'> | false | undefined;

/** How relations that cannot be resolved are treated. */
export interface RelationOptions {
  /** Collects refusals. Default: the first is thrown. */
  readonly refusals?: Refusals;
  /** Unique names of tables that are not models; relations to them are left out. Default: none. */
  readonly passedOver?: ReadonlySet<string>;
}

/**
 * Resolves the relations of every model among `tables`. Relations of other tables are used only to find the
 * other side. A relation to a table without a model is refused, because every reachable model
 * must be in the registry; the host may leave the relation out.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a relation cannot work, naming model and relation.
 */
export function describeRelations(
  tables: DrizzleTables,
  relations: DrizzleRelations,
  overrideOf: RelationOverride,
  { refusals, passedOver }: RelationOptions = {},
): DescribedRelations {
  const declared = declaredRelations(relations);
  const config = relationalConfig(declared);
  const models = new Map<string, ReadonlyMap<string, DescribedRelation>>();
  for (const [model, table] of Object.entries(tables)) {
    const described = new Map<string, DescribedRelation>();
    for (const [path, relation] of declared.get(getTableUniqueName(table))?.relations ?? []) {
      const override = overrideOf(model, path);
      if (override === false) continue;
      const target = relation instanceof ManyToMany ? relation.target : relation.referencedTable;
      if (passedOver?.has(getTableUniqueName(target))) continue;
      const context = { model, path, tables, override: override ?? {} };
      const make = () =>
        relation instanceof ManyToMany
          ? manyThroughJoinTable(context, relation, declared)
          : joinedDirectly(context, relation, config);
      const made = refusals ? refusals.attempt(make) : make();
      if (made) described.set(path, made);
    }
    models.set(model, described);
  }
  return models;
}

interface RelationContext {
  readonly model: string;
  readonly path: string;
  readonly tables: DrizzleTables;
  readonly override: Pick<PathOverride, 'nullable' | 'target'>;
}

interface DeclaredTable {
  readonly table: Table;
  readonly relations: Map<string, Relation | ManyToMany>;
}

type Declared = Map<string, DeclaredTable>;

function declaredRelations(relations: DrizzleRelations): Declared {
  const declared: Declared = new Map();
  const on = (table: Table) => {
    const name = getTableUniqueName(table);
    const known = declared.get(name) ?? { table, relations: new Map() };
    declared.set(name, known);
    return known;
  };
  for (const [name, value] of Object.entries(relations)) {
    if (value === undefined || value === null) {
      throw configurationError(
        `relations.${name} is ${value}; where modules import each other make sure it is defined by then.`,
        { relation: name },
      );
    }
    if (value instanceof ManyToMany) {
      addRelation(on(value.source), value.path, value);
    } else if (isA(value, Relations)) {
      const source = on(value.table);
      const entries = Object.entries(value.config(createTableRelationsHelpers(value.table)));
      for (const [path, relation] of entries) {
        on(relation.referencedTable);
        addRelation(source, path, relation);
      }
    }
  }
  return declared;
}

function addRelation(on: DeclaredTable, path: string, relation: Relation | ManyToMany) {
  if (on.relations.has(path)) {
    const table = getTableName(on.table);
    throw configurationError(
      `${table}.${path}: the relation is declared twice; keep one declaration.`,
      { table, path },
    );
  }
  on.relations.set(path, relation);
}

/** The relations in the form that Drizzle's own `normalizeRelation` takes. */
function relationalConfig(declared: Declared) {
  const schema: TablesRelationalConfig = {};
  const names: Record<string, string> = {};
  for (const [name, { table, relations }] of declared) {
    names[name] = name;
    schema[name] = {
      tsName: name,
      dbName: getTableName(table),
      columns: getTableColumns(table),
      relations: Object.fromEntries(
        [...relations].flatMap(([path, relation]) =>
          relation instanceof ManyToMany ? [] : [[path, relation] as const],
        ),
      ),
      primaryKey: [],
    };
  }
  return { schema, names };
}

function joinedDirectly(
  context: RelationContext,
  relation: Relation,
  config: ReturnType<typeof relationalConfig>,
): DescribedRelation {
  const { path, override } = context;
  const target = targetModel(context, relation.referencedTable);
  const link = joinedColumns(context, relation, config);
  const one = is(relation, One);
  const holdsKey = one && relation.config !== undefined;
  const absent = !holdsKey || link.from.some((column) => !column.notNull);
  return {
    path,
    target,
    cardinality: one ? 'one' : 'many',
    nullable: one && (override.nullable ?? absent),
    holdsKey,
    hops: [link],
  };
}

function joinedColumns(
  { model, path }: RelationContext,
  relation: Relation,
  config: ReturnType<typeof relationalConfig>,
): ColumnLink {
  try {
    const { fields, references } = normalizeRelation(config.schema, config.names, relation);
    return { from: fields, table: relation.referencedTable, to: references };
  } catch (cause) {
    throw new QueryError(
      'SOURCE_CONFIGURATION_INVALID',
      `${model}.${path}: no single one() on the other side determines the join columns; declare one(..., { fields, references }) there, give both sides the same relationName, or leave the relation out with overrides { ${model}: { ${path}: false } }.`,
      { model, path },
      { cause },
    );
  }
}

function manyThroughJoinTable(
  context: RelationContext,
  relation: ManyToMany,
  declared: Declared,
): DescribedRelation {
  const target = targetModel(context, relation.target);
  const hops = joinTableLinks(context.model, relation, declared.get(throughName(relation)));
  return {
    path: context.path,
    target,
    cardinality: 'many',
    nullable: false,
    holdsKey: false,
    hops,
  };
}

function throughName(relation: ManyToMany): string {
  return getTableUniqueName(relation.through);
}

function targetModel({ model, path, tables, override }: RelationContext, table: Table): string {
  const name = getTableUniqueName(table);
  const models = Object.keys(tables).filter(
    (candidate) => getTableUniqueName(tables[candidate] as Table) === name,
  );
  const said = override.target;
  if (said !== undefined && models.includes(said)) return said;
  if (said === undefined && models.length === 1) return models[0] as string;
  const problem =
    models.length === 0
      ? `it leads to table ${getTableName(table)}, which is not among the tables; add it, or leave the relation out with overrides { ${model}: { ${path}: false } }.`
      : said !== undefined
        ? `it leads to table ${getTableName(table)}, which is model ${models.join(', ')} and not ${said}; correct the target.`
        : `several models share table ${getTableName(table)}; name one of ${models.join(', ')} with overrides { ${model}: { ${path}: { target: ... } } }.`;
  throw configurationError(`${model}.${path}: ${problem}`, { model, path });
}
