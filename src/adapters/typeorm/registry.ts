/** `typeormRegistry`: derives a schema registry from decorators alone. */

import { configurationError, defineSchemaRegistry } from '../../schema/index.ts';
import type { QuerySchema, SchemaRegistry } from '../../schema/index.ts';
import {
  type DeclaredEntity,
  type EntityDeclaration,
  type EntityKey,
  declaredEntity,
} from './declared-entity.ts';
import { describeEntity } from './describe-entity.ts';
import { type Refuse, refuse } from './refuse.ts';

/**
 * Derives a registry from entity classes (or `EntitySchema`s), before any DataSource exists, so that rules can
 * be compiled when modules load. Property names are the paths; the name of a model is that of the class, with its first
 * letter in lower case, unless `@QueryModel` sets another.
 *
 * An embedded entity is a `one` relation to a separate model, `<model>_<property>`, so that `address.city` is a path.
 * A text column `<path>_folded` beside a string, uuid or enum is its folded companion; `<path>_order` beside a uuid,
 * enum or decimal its order companion. Columns with `select: false` are internal.
 * `timestamp` without time zone is read as UTC.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the type of a column has no kind, the target of a relation
 * is not given, an annotation is on a property that is neither column nor relation, a class is not an
 * entity, or `defineQuerySchema` refuses a schema; it names entity and property
 */
export function typeormRegistry(entities: readonly EntityDeclaration[]): SchemaRegistry {
  return defineSchemaRegistry(describeEntities(entities, refuse));
}

/** The schemas of entities in the given order, each followed by those of its embedded entities. */
export function describeEntities(
  entities: readonly EntityDeclaration[],
  onRefusal: Refuse,
): readonly QuerySchema[] {
  const declared = entities.map((entity) => declaredEntity(entity));
  const find = (key: EntityKey): DeclaredEntity | undefined => findEntity(declared, key);
  return declared.flatMap((entity) => describeEntity(entity, { find, refuse: onRefusal }));
}

/** The target entity of a relation: by class, or by the name of an entity. */
function findEntity(
  declared: readonly DeclaredEntity[],
  key: EntityKey,
): DeclaredEntity | undefined {
  if (key === undefined) {
    throw configurationError(
      'A relation has no target yet; where entities import each other, return the target from a function.',
    );
  }
  return declared.find((entity) => entity.key === key || entity.name === key);
}
