/** Describes the storage of a registry's models from TypeORM's entity metadata. */

import type { DataSource } from 'typeorm';
import type { DatabaseFamily } from '../../rules/index.ts';
import type { FieldDescriptor, QuerySchema, SchemaRegistry } from '../../schema/index.ts';
import type {
  PhysicalColumn,
  PhysicalHop,
  PhysicalModel,
  PhysicalRelation,
  PhysicalSchema,
  RowRestriction,
  TableRef,
} from '../../relational/index.ts';
import { families, nativeMembers } from '../../relational/index.ts';
import { codecOf, hasCodec } from './codec.ts';
import { kindOfColumn } from './column-kinds.ts';
import type { ColumnMetadata, EntityMetadata, RelationMetadata } from './metadata-types.ts';
import { type MappedModel, columnAt, mappedModelsOf } from './mapped-models.ts';
import { sqlTypeOf, storageOf } from './storage.ts';

/** The inputs of a description. */
interface DescribeInput {
  readonly registry: SchemaRegistry;
  readonly dataSource: DataSource;
  readonly family: DatabaseFamily;
  /** Whether rows that are softly deleted count. */
  readonly withDeleted: boolean;
}

/**
 * The models of the registry that the DataSource knows. Fields and relations that it does not know, or that do not fit
 * their columns, are left to the source check.
 */
export function describeTables(input: DescribeInput): PhysicalSchema {
  const { registry, dataSource, withDeleted } = input;
  const models = new Map<string, PhysicalModel>();
  for (const [model, mapped] of mappedModelsOf(registry, dataSource)) {
    const schema = registry.get(model);
    if (!schema) continue;
    const restrictions = mapped.prefix === '' ? restrictionsOf(mapped.metadata, withDeleted) : [];
    const columns = columnsOf(input, mapped, schema);
    models.set(model, {
      model,
      table: tableRef(mapped.metadata, input.family),
      columns,
      relations: relationsOf(input, mapped, schema),
      hidden: hiddenColumns(input, mapped, columns),
      uniqueKeys: uniqueKeysOf(mapped.metadata),
      ...(restrictions.length > 0 && { restrictions }),
    });
  }
  return models;
}

function tableRef(
  { tableName, schema, database }: EntityMetadata,
  family: DatabaseFamily,
): TableRef {
  const space = families[family].dialect.qualifier === 'schema' ? schema : database;
  return space ? { schema: space, name: tableName } : { name: tableName };
}

/** The columns of each unique constraint and unique index; an index with a condition is unique among some rows only. */
const uniqueKeysOf = ({ uniques, indices }: EntityMetadata): string[][] =>
  [...uniques, ...indices.filter(({ isUnique, where }) => isUnique && !where)].map(({ columns }) =>
    names(columns),
  );

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

function columnsOf(input: DescribeInput, mapped: MappedModel, schema: QuerySchema) {
  const columns = new Map<string, PhysicalColumn>();
  for (const field of schema.fields) {
    const column = columnAt(mapped, field.path);
    const physical = column && physicalColumn(input, field, column);
    if (physical) columns.set(field.path, physical);
  }
  return columns;
}

/** Columns without a field of the schema. The values of columns without a kind are used as the driver returns them. */
function hiddenColumns(
  { dataSource, family }: DescribeInput,
  { metadata }: MappedModel,
  columns: PhysicalModel['columns'],
): PhysicalModel['hidden'] {
  const shown = new Set([...columns.values()].map(({ name }) => name));
  const hidden = new Map<string, PhysicalColumn>();
  for (const column of metadata.columns) {
    const { databaseName: name, propertyPath: path, isVirtualProperty } = column;
    if (isVirtualProperty || shown.has(name)) continue;
    const own = kindOfColumn(column);
    const kind = typeof own === 'string' ? own : 'string';
    const wide = kind === 'integer' && families[family].dialect.wideIntegers ? 'bigint' : kind;
    hidden.set(name, {
      path,
      name,
      kind: wide,
      storage: 'native',
      sqlType: sqlTypeOf(dataSource, column),
    });
  }
  return hidden;
}

function physicalColumn(
  { dataSource, family }: DescribeInput,
  field: FieldDescriptor,
  column: ColumnMetadata,
): PhysicalColumn | undefined {
  const { path, kind } = field;
  const name = column.databaseName;
  const sqlType = sqlTypeOf(dataSource, column);
  const own = column.enum?.map(String);
  const members = nativeMembers(families[family].dialect, sqlType, field, own);
  if (hasCodec(column)) {
    const known = column.type === 'simple-array' ? 'string' : kindOfColumn(column);
    const stored = typeof known === 'string' ? known : kind;
    const storage = storageOf(family, dataSource, column, stored) ?? 'native';
    const codec = codecOf(dataSource, column, kind, stored);
    return { path, name, kind: stored, storage, sqlType, codec, ...members };
  }
  const storage = storageOf(family, dataSource, column, kind);
  // The source check reports this column, together with all other differences.
  if (storage === undefined) return undefined;
  return { path, name, kind, storage, sqlType, ...members };
}

function relationsOf({ family }: DescribeInput, mapped: MappedModel, schema: QuerySchema) {
  const { metadata, prefix } = mapped;
  const relations = new Map<string, PhysicalRelation>();
  for (const { path, target, cardinality } of schema.relations) {
    const relation = metadata.findRelationWithPropertyPath(prefix + path);
    if (relation) {
      relations.set(path, { path, target, cardinality, hops: hopsOf(relation, family) });
    } else if (metadata.findEmbeddedWithPropertyPath(prefix + path)) {
      relations.set(path, { path, target, cardinality, hops: [] });
    }
  }
  return relations;
}

const names = (columns: readonly ColumnMetadata[]): string[] =>
  columns.map(({ databaseName }) => databaseName);

const referenced = (columns: readonly ColumnMetadata[]): string[] =>
  columns.map(
    ({ referencedColumn, databaseName }) => referencedColumn?.databaseName ?? databaseName,
  );

function hopsOf(relation: RelationMetadata, family: DatabaseFamily): PhysicalHop[] {
  const table = tableRef(relation.inverseEntityMetadata, family);
  if (relation.isManyToOne || relation.isOneToOneOwner) {
    const { joinColumns } = relation;
    return [{ table, from: names(joinColumns), to: referenced(joinColumns) }];
  }
  if (relation.isOneToMany || relation.isOneToOneNotOwner) {
    const joinColumns = relation.inverseRelation?.joinColumns ?? [];
    return [{ table, from: referenced(joinColumns), to: names(joinColumns) }];
  }
  const owner = relation.isManyToManyOwner ? relation : relation.inverseRelation;
  const junction = owner?.junctionEntityMetadata;
  if (!owner || !junction) return [];
  const { joinColumns, inverseJoinColumns } = owner;
  const [near, far] = relation.isManyToManyOwner
    ? [joinColumns, inverseJoinColumns]
    : [inverseJoinColumns, joinColumns];
  return [
    { table: tableRef(junction, family), from: referenced(near), to: names(near) },
    { table, from: names(far), to: referenced(far) },
  ];
}
