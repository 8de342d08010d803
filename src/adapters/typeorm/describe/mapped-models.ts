/** Finds the entity, or the embedded part of an entity, that each model of a registry represents. */

import type { DataSource } from 'typeorm';
import type { SchemaRegistry } from '../../../schema/index.ts';
import { modelNameOf } from './declared-entity.ts';
import type { ColumnMetadata, EntityMetadata } from './metadata-types.ts';

/** The source of a model's properties: an entity, or the embedded part of it at `prefix`. */
export interface MappedModel {
  readonly metadata: EntityMetadata;
  /** Property path before the model's own properties: empty, or like `address.`. */
  readonly prefix: string;
}

/** Mapped models by name; models that the DataSource does not have are absent. */
export function mappedModelsOf(
  registry: SchemaRegistry,
  dataSource: DataSource,
): ReadonlyMap<string, MappedModel> {
  const mappedModels = new Map<string, MappedModel>();
  for (const metadata of dataSource.entityMetadatas) {
    if (metadata.tableType === 'junction' || metadata.tableType === 'closure-junction') continue;
    const model = modelNameOf(metadata.target);
    if (registry.has(model)) mappedModels.set(model, { metadata, prefix: '' });
  }
  // The iteration of a map includes entries that are added during it, so nested embedded entities are found too.
  for (const [model, { metadata, prefix }] of mappedModels) {
    for (const { path, target } of registry.get(model)?.relations ?? []) {
      const isEmbedded = metadata.findEmbeddedWithPropertyPath(prefix + path) !== undefined;
      if (isEmbedded && !mappedModels.has(target)) {
        mappedModels.set(target, { metadata, prefix: `${prefix}${path}.` });
      }
    }
  }
  return mappedModels;
}

/**
 * The column of a field: of the model itself or, for an embedded entity's part of its owner's key, of the owner; there
 * the dots of a path are underscores, and further ones may precede it.
 */
export function columnAt(
  { metadata, prefix }: MappedModel,
  path: string,
): ColumnMetadata | undefined {
  const columns = metadata.columns.filter((column) => !column.isVirtualProperty);
  const own = columns.find(
    (column) => column.propertyPath === prefix + path && !column.relationMetadata?.embeddedMetadata,
  );
  if (own) return own;
  const shared = path.replace(/^_+/, '');
  return metadata.primaryColumns.find((column) =>
    [path, shared].includes(column.propertyPath.replaceAll('.', '_')),
  );
}
