/** Finds the declarations of a DataSource's entities, and makes a registry of all of them. */

import type { DataSource } from 'typeorm';
import { oncePer } from '../../../lib/index.ts';
import { defineSchemaRegistry, type SchemaRegistry } from '../../../schema/index.ts';
import {
  type EntityDeclaration,
  isDecorated,
  isEntitySchema,
  schemaKey,
} from './declared-entity.ts';
import type { EntityMetadata } from './metadata-types.ts';
import { leaveOut } from './refuse.ts';
import { describeEntities } from './registry.ts';

/** The declaration of one entity; `undefined` for join tables, and for schemas that were loaded by file path. */
export function declarationOf(
  { options }: DataSource,
  { target, tableType }: EntityMetadata,
): EntityDeclaration | undefined {
  if (tableType === 'junction' || tableType === 'closure-junction') return undefined;
  const listed: readonly unknown[] = Object.values(options.entities ?? []);
  const schema = listed.filter(isEntitySchema).find((each) => schemaKey(each) === target);
  return (schema as EntityDeclaration | undefined) ?? (isDecorated(target) ? target : undefined);
}

/**
 * The registry of a DataSource's entities. Properties that cannot be described are left out, because they may belong to
 * entities that are never queried.
 */
export const registryOf = (dataSource: DataSource): SchemaRegistry =>
  registryFor(dataSource.entityMetadatas, dataSource);

// Keyed by the list of metadata, which a DataSource creates anew at each initialization.
const registryFor = oncePer((metadatas: readonly EntityMetadata[], dataSource: DataSource) => {
  const declarations = metadatas.flatMap((metadata) => declarationOf(dataSource, metadata) ?? []);
  const schemas = describeEntities(declarations, leaveOut);
  return defineSchemaRegistry(schemas.filter(({ primaryKey }) => primaryKey.length > 0));
});
