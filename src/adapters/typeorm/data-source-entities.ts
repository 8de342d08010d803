/** The declarations behind the entities of a DataSource. */

import type { DataSource } from 'typeorm';
import { type EntityDeclaration, isEntitySchema } from './declared-entity.ts';
import type { EntityMetadata } from './metadata-types.ts';

/** Classes and `EntitySchema`s of a DataSource's entities; not those TypeORM made of join tables. */
export function declarationsOf(dataSource: DataSource): EntityDeclaration[] {
  return dataSource.entityMetadatas.flatMap(
    (metadata) => declarationOf(dataSource, metadata) ?? [],
  );
}

/** The declaration of one entity; none for join tables, and for schemas that were loaded by the path of a file. */
export function declarationOf(
  { options }: DataSource,
  { target, tableType, name }: EntityMetadata,
): EntityDeclaration | undefined {
  if (tableType === 'junction' || tableType === 'closure-junction') return undefined;
  if (typeof target === 'function') return target as unknown as EntityDeclaration;
  const listed: readonly unknown[] = Object.values(options.entities ?? []);
  const schema = listed.filter(isEntitySchema).find((each) => each.options.name === name);
  return schema as EntityDeclaration | undefined;
}
