/** Describes the models of a registry that a DataSource has, from TypeORM's entity metadata. */

import type { DataSource } from 'typeorm';
import {
  isArrayKind,
  kinds,
  type QuerySchema,
  type SchemaRegistry,
} from '../../../schema/index.ts';
import type {
  DescribedColumn,
  DescribedJoin,
  DescribedTable,
  DescribedTables,
  Dialect,
  PhysicalHop,
  RowRestriction,
  TableRef,
} from '../../../relational/index.ts';
import { codecOf, hasCodec } from './codec.ts';
import { kindOfColumn } from './column-kinds.ts';
import { modelNameOf } from './declared-entity.ts';
import { type MappedModel, columnAt, mappedModelsOf } from './mapped-models.ts';
import type { ColumnMetadata, EntityMetadata, RelationMetadata } from './metadata-types.ts';
import { sqlTypeOf, storageOf } from './storage.ts';

/** The inputs of a description. */
interface DescribeInput {
  readonly registry: SchemaRegistry;
  readonly dataSource: DataSource;
  readonly dialect: Dialect;
  /** Whether rows that are softly deleted count. */
  readonly withDeleted: boolean;
}

/** The tables of the registry's models that the DataSource knows. The registry selects paths and names models. */
export function describeTables(input: DescribeInput): DescribedTables {
  const models = new Map<string, DescribedTable>();
  for (const [model, mapped] of mappedModelsOf(input.registry, input.dataSource)) {
    const schema = input.registry.get(model);
    if (schema) models.set(model, describeTable(input, mapped, schema));
  }
  return models;
}

function describeTable(
  { dataSource, dialect, withDeleted }: DescribeInput,
  mapped: MappedModel,
  schema: QuerySchema,
): DescribedTable {
  const { metadata, prefix } = mapped;
  const { uniques, indices, primaryColumns, inheritancePattern } = metadata;
  const found = new Map<string, ColumnMetadata>();
  const columns = new Map<string, DescribedColumn>();
  for (const { path, nullable } of schema.fields) {
    const column = columnAt(mapped, path);
    if (!column) continue;
    found.set(path, column);
    const described = describeColumn(dataSource, column);
    // In single table inheritance all columns of a child are nullable, even where the child's own rows are never null.
    columns.set(path, inheritancePattern === 'STI' ? { ...described, nullable } : described);
  }
  const shown = new Set(names([...found.values()]));
  for (const column of metadata.columns) {
    const { databaseName: name, isVirtualProperty } = column;
    if (isVirtualProperty || shown.has(name)) continue;
    columns.set(`${name} without a path`, {
      ...describeColumn(dataSource, column),
      isLeftOut: true,
    });
  }
  // An index with a condition is unique among some rows only.
  const keys = [...uniques, ...indices.filter(({ isUnique, where }) => isUnique && !where)];
  return {
    table: tableRef(metadata, dialect),
    columns,
    primaryKey: primaryColumns.map(
      (column) =>
        schema.primaryKey.find((path) => found.get(path) === column) ?? column.propertyPath,
    ),
    uniqueKeys: keys.map((key) => names(key.columns)),
    relations: relationsOf(mapped, schema, dialect),
    restrictions: prefix === '' ? restrictionsOf(metadata, withDeleted) : [],
  };
}

const everyKind = [...kinds.values()].map(({ kind }) => kind);

function describeColumn(dataSource: DataSource, column: ColumnMetadata): DescribedColumn {
  const own = kindOfColumn(column);
  const isCoded = hasCodec(column);
  const storedKind = column.type === 'simple-array' ? 'string' : isArrayKind(own) ? 'opaque' : own;
  const formOf: DescribedColumn['storageOf'] = (dialect, kind) =>
    storageOf(dataSource, column, dialect, kind) ?? (isCoded ? 'native' : undefined);
  return {
    name: column.databaseName,
    sqlType: sqlTypeOf(dataSource, column),
    kind: own,
    nullable: column.isNullable,
    isNotNull: true,
    enumValues: column.enum?.map(String),
    said: {},
    held: (dialect) => new Set(everyKind.filter((kind) => formOf(dialect, kind))),
    storageOf: formOf,
    ...(isCoded && {
      storedKind,
      codecOf: (kind) => codecOf(dataSource, column, kind, storedKind),
    }),
  };
}

function tableRef(
  { tableName: name, schema, database }: EntityMetadata,
  dialect: Dialect,
): TableRef {
  const space = dialect.qualifier === 'schema' ? schema : database;
  return space ? { schema: space, name } : { name };
}

/** The conditions that TypeORM's own builder adds to every query: not deleted, and of this type. */
function restrictionsOf(metadata: EntityMetadata, withDeleted: boolean): RowRestriction[] {
  const { deleteDateColumn, discriminatorColumn, parentEntityMetadata } = metadata;
  const restrictions: RowRestriction[] = [];
  if (deleteDateColumn && !withDeleted) {
    restrictions.push({ column: deleteDateColumn.databaseName, isNull: true });
  }
  if (discriminatorColumn && parentEntityMetadata) {
    const values = [metadata, ...metadata.childEntityMetadatas].flatMap(
      ({ discriminatorValue }) => discriminatorValue ?? [],
    );
    restrictions.push({ column: discriminatorColumn.databaseName, values });
  }
  return restrictions;
}

function relationsOf(
  { metadata, prefix }: MappedModel,
  schema: QuerySchema,
  dialect: Dialect,
): DescribedTable['relations'] {
  const relations = new Map<string, DescribedJoin>();
  for (const { path, target } of schema.relations) {
    if (metadata.findEmbeddedWithPropertyPath(prefix + path)) {
      relations.set(path, { path, target, cardinality: 'one', nullable: false, hops: [] });
      continue;
    }
    const relation = metadata.findRelationWithPropertyPath(prefix + path);
    if (!relation) continue;
    const { inverseEntityMetadata: inverse, isOneToOneNotOwner, isNullable } = relation;
    const isOne = relation.isManyToOne || relation.isOneToOne;
    relations.set(path, {
      path,
      target: modelNameOf(inverse.target),
      cardinality: isOne ? 'one' : 'many',
      nullable: isOneToOneNotOwner || isNullable,
      // A row that is deleted, or of another type, is absent even if the columns are not null.
      isOpen: !isOne || Boolean(inverse.deleteDateColumn ?? inverse.parentEntityMetadata),
      hops: hopsOf(relation, dialect),
    });
  }
  return relations;
}

const names = (columns: readonly ColumnMetadata[]): string[] =>
  columns.map(({ databaseName }) => databaseName);

const referenced = (columns: readonly ColumnMetadata[]): string[] =>
  names(columns.map((column) => column.referencedColumn ?? column));

function hopsOf(relation: RelationMetadata, dialect: Dialect): PhysicalHop[] {
  const table = tableRef(relation.inverseEntityMetadata, dialect);
  const owner = relation.isOwning ? relation : relation.inverseRelation;
  const {
    joinColumns = [],
    inverseJoinColumns = [],
    junctionEntityMetadata: junction,
  } = owner ?? {};
  const [near, far] = relation.isOwning
    ? [joinColumns, inverseJoinColumns]
    : [inverseJoinColumns, joinColumns];
  if (junction) {
    return [
      { table: tableRef(junction, dialect), from: referenced(near), to: names(near) },
      { table, from: names(far), to: referenced(far) },
    ];
  }
  return relation.isOwning
    ? [{ table, from: names(near), to: referenced(near) }]
    : [{ table, from: referenced(far), to: names(far) }];
}
