/** `typeormRegistry`: a schema registry from decorators alone. */

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
 * A registry of the models behind entity classes (or `EntitySchema`s), before any DataSource exists, so that rules can
 * be compiled when modules load. Property names are the paths; the model is called as the class is, with its first
 * letter in lower case, unless `@QueryModel` says otherwise.
 *
 * An embedded entity is a `one` relation to a model of its own, `<model>_<property>`, so that `address.city` is a path.
 * A text column `<path>_folded` beside a string, uuid or enum is its folded companion; `<path>_order` beside a uuid,
 * enum or decimal its order companion (`spec/3`, "Folded and order columns"). Columns with `select: false` are internal.
 * `timestamp` without time zone is understood as UTC.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the type of a column has no kind, a relation leads to an entity
 * that is not given, an annotation stands on a property that is neither column nor relation, a class is not an
 * entity, or `defineQuerySchema` refuses a schema; it names entity and property
 */
export function typeormRegistry(entities: readonly EntityDeclaration[]): SchemaRegistry {
  return defineSchemaRegistry(describeEntities(entities, refuse));
}

/** The schemas of entities, in their order, each followed by those of what is embedded in it. */
export function describeEntities(
  entities: readonly EntityDeclaration[],
  onRefusal: Refuse,
): readonly QuerySchema[] {
  const declared = entities.map((entity) => declaredEntity(entity));
  const find = (key: EntityKey): DeclaredEntity | undefined => findEntity(declared, key);
  return declared.flatMap((entity) => describeEntity(entity, { find, refuse: onRefusal }));
}

/** The entity a relation names: by class, or by the name of an entity. */
function findEntity(
  declared: readonly DeclaredEntity[],
  key: EntityKey,
): DeclaredEntity | undefined {
  if (key === undefined) {
    throw configurationError(
      'A relation leads nowhere yet; where entities import each other, name the target in a function.',
    );
  }
  return declared.find((entity) => entity.key === key || entity.name === key);
}
