/** Which entity, and which embedded part of it, each model of a registry stands for. */

import type { DataSource } from 'typeorm';
import type { SchemaRegistry } from '../../schema/index.ts';
import { modelNameOf } from './declared-entity.ts';
import type { ColumnMetadata, EntityMetadata } from './metadata-types.ts';

/** Where a model's properties are: an entity, or the embedded part of it that `prefix` leads to. */
export interface ModelPlace {
  readonly metadata: EntityMetadata;
  /** Property path in front of the model's own properties: empty, or like `address.`. */
  readonly prefix: string;
}

/** Places by model name; models that the DataSource does not know have none. */
export function placesOf(
  registry: SchemaRegistry,
  dataSource: DataSource,
): ReadonlyMap<string, ModelPlace> {
  const places = new Map<string, ModelPlace>();
  for (const metadata of dataSource.entityMetadatas) {
    if (metadata.tableType === 'junction' || metadata.tableType === 'closure-junction') continue;
    const model = modelNameOf(metadata.target, metadata.name);
    if (registry.has(model)) places.set(model, { metadata, prefix: '' });
  }
  // A map's iteration meets what is added on the way, so embedded entities in embedded ones are found too.
  for (const [model, { metadata, prefix }] of places) {
    for (const { path, target } of registry.get(model)?.relations ?? []) {
      const isEmbedded = metadata.findEmbeddedWithPropertyPath(prefix + path) !== undefined;
      if (isEmbedded && !places.has(target)) {
        places.set(target, { metadata, prefix: `${prefix}${path}.` });
      }
    }
  }
  return places;
}

/**
 * The column a field stands for: of the place itself, or, for an embedded entity's share of its owner's key, of
 * the owner; there the dots of a path are underscores, and further ones may stand in front.
 */
export function columnAt(
  { metadata, prefix }: ModelPlace,
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
