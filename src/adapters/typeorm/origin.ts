/** Describes the models of a registry for the source check, from TypeORM's metadata. */

import type { DataSource } from 'typeorm';
import type {
  DatabaseFamily,
  DescribedField,
  DescribedModel,
  DescribedRelation,
  SourceOrigin,
} from '../../rules/index.ts';
import { kinds } from '../../schema/index.ts';
import type { FieldDescriptor, QuerySchema, SchemaRegistry } from '../../schema/index.ts';
import { hasCodec } from './codec.ts';
import { modelNameOf } from './declared-entity.ts';
import type { ColumnMetadata, EntityMetadata } from './metadata-types.ts';
import { type MappedModel, columnAt, mappedModelsOf } from './mapped-models.ts';
import { heldKinds } from './storage.ts';

/** The origin of a registry's models in a DataSource. */
export function typeormOrigin(
  registry: SchemaRegistry,
  dataSource: DataSource,
  family: DatabaseFamily,
): SourceOrigin {
  const mappedModels = mappedModelsOf(registry, dataSource);
  return {
    describe: (model) => {
      const mapped = mappedModels.get(model);
      const schema = registry.get(model);
      return mapped && schema && describeModel(mapped, schema, dataSource, family);
    },
  };
}

function describeModel(
  mapped: MappedModel,
  schema: QuerySchema,
  dataSource: DataSource,
  family: DatabaseFamily,
): DescribedModel {
  const fields = new Map<string, DescribedField>();
  const paths = new Map<ColumnMetadata, string>();
  for (const field of schema.fields) {
    const column = columnAt(mapped, field.path);
    if (!column) continue;
    fields.set(field.path, describeField(mapped, field, column, dataSource, family));
    if (schema.primaryKey.includes(field.path)) paths.set(column, field.path);
  }
  return {
    primaryKey: mapped.metadata.primaryColumns.map(
      (column) => paths.get(column) ?? column.propertyPath,
    ),
    fields,
    relations: describeRelations(mapped, schema),
  };
}

const everyKind: DescribedField['kinds'] = new Set([...kinds.values()].map(({ kind }) => kind));

function describeField(
  { metadata }: MappedModel,
  { nullable }: FieldDescriptor,
  column: ColumnMetadata,
  dataSource: DataSource,
  family: DatabaseFamily,
): DescribedField {
  return {
    kinds: hasCodec(column) ? everyKind : heldKinds(family, dataSource, column),
    // In single table inheritance all columns of a child are nullable, even where the child's own rows are never null.
    nullable: metadata.inheritancePattern === 'STI' ? nullable : column.isNullable,
    enumValues: column.enum?.map(String),
  };
}

function describeRelations({ metadata, prefix }: MappedModel, schema: QuerySchema) {
  const relations = new Map<string, DescribedRelation>();
  for (const { path, target } of schema.relations) {
    if (metadata.findEmbeddedWithPropertyPath(prefix + path)) {
      relations.set(path, { target, cardinality: 'one', nullable: false });
      continue;
    }
    const relation = metadata.findRelationWithPropertyPath(prefix + path);
    if (!relation) continue;
    const { inverseEntityMetadata: inverse } = relation;
    const isOne = relation.isManyToOne || relation.isOneToOne;
    relations.set(path, {
      target: modelNameOf(inverse.target, inverse.name),
      cardinality: isOne ? 'one' : 'many',
      nullable: isOne && !leavesRowsOut(inverse) ? isNullable(relation) : undefined,
    });
  }
  return relations;
}

function isNullable(relation: EntityMetadata['relations'][number]): boolean {
  return relation.isOneToOneNotOwner || relation.isNullable;
}

/** Whether some rows of the table are excluded, so that a relation may be absent even if its columns are not null. */
function leavesRowsOut({ deleteDateColumn, parentEntityMetadata }: EntityMetadata): boolean {
  return Boolean(deleteDateColumn ?? parentEntityMetadata);
}
