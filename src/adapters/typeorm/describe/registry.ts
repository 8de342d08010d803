/** `typeormRegistry`: derives a schema registry from decorators alone. */

import * as option from '../../../lib/option-rows.ts';
import {
  Refusals,
  checkConfiguration,
  configurationError,
  defineSchemaRegistry,
  inFamilies,
  registryOptions,
} from '../../../schema/index.ts';
import type { QuerySchema, RegistryOptions, SchemaRegistry } from '../../../schema/index.ts';
import { schemaOf } from '../../../relational/index.ts';
import {
  type DeclaredEntity,
  type EntityDeclaration,
  type EntityKey,
  declaredEntity,
  isEntitySchema,
  nameModel,
} from './declared-entity.ts';
import { describeEntity } from './describe-entity.ts';
import { type Refuse, refuse } from './refuse.ts';
import type { NamedEntities, TypeormShape } from './registry-shape.ts';

/**
 * Derives a registry from entity classes (or `EntitySchema`s), before any DataSource exists, so that rules can
 * be compiled when modules load. Property names are the paths.
 *
 * An object names the models, `typeormRegistry({ city: City, country: Country })`: the compiler then checks the models,
 * paths and operators of rules against the properties of the classes. In a list, the name of a model is that of the
 * class, with its first letter in lower case, unless `@QueryModel` sets another; rules are then checked at boot only.
 *
 * An embedded entity is a `one` relation to a separate model, `<model>_<property>`, so that `address.city` is a path.
 * A text column `<path>_folded` beside a string, uuid or enum is its folded companion; `<path>_order` beside a uuid,
 * enum or decimal its order companion. Columns with `select: false` are internal.
 * `timestamp` without time zone is read as UTC.
 *
 * With `families: ['postgresql']` in the options, rules may use what that one family has: its order of uuids and enums,
 * and its own case folding for `ilike` and search, without companion columns.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the type of a column has no kind, the target of a relation
 * is not given, an annotation is on a property that is neither column nor relation, a class is not an
 * entity or already has another model name, or `defineQuerySchema` refuses a schema; it names entity and property of
 * everything that is refused
 */
export function typeormRegistry<
  const Entities extends readonly EntityDeclaration[] | NamedEntities,
>(entities: Entities, options?: RegistryOptions): SchemaRegistry<TypeormShape<Entities>>;
export function typeormRegistry(
  entities: readonly EntityDeclaration[] | NamedEntities,
  options: RegistryOptions = {},
): SchemaRegistry {
  checkConfiguration('typeormRegistry', options, registryOptions);
  const refusals = new Refusals();
  const listed = listOf(entities);
  for (const entity of listed) refusals.attempt(() => declaredEntity(entity));
  // Relations to a class that is not an entity would be refused as well.
  refusals.throwAll();
  const schemas = refusals.attempt(() =>
    describeEntities(listed, (...refusal) => {
      refusals.attempt(() => refuse(...refusal));
    }),
  );
  refusals.throwAll();
  const registry = defineSchemaRegistry(schemas ?? []);
  return options.families ? inFamilies(registry, options.families) : registry;
}

/** The entities of a list, or those of an object after their models have been named. */
function listOf(
  entities: readonly EntityDeclaration[] | NamedEntities,
): readonly EntityDeclaration[] {
  if (isList(entities)) return entities;
  checkConfiguration('typeormRegistry', { entities }, registryTable);
  for (const [model, entity] of Object.entries(entities)) nameModel(model, entity);
  return Object.values(entities);
}

const isList = (
  entities: readonly EntityDeclaration[] | NamedEntities,
): entities is readonly EntityDeclaration[] => Array.isArray(entities);

const registryTable = {
  entities: option.required({
    ...option.recordOf({
      expected: 'an entity class or EntitySchema',
      plural: 'entity classes or EntitySchemas',
      fits: (value) => typeof value === 'function' || isEntitySchema(value),
    }),
    expected: 'a list or an object of entity classes and EntitySchemas',
  }),
};

/** The schemas of entities in the given order, each followed by those of its embedded entities. */
export function describeEntities(
  entities: readonly EntityDeclaration[],
  onRefusal: Refuse,
): readonly QuerySchema[] {
  const declared = entities.map((entity) => declaredEntity(entity));
  const find = (key: EntityKey): DeclaredEntity | undefined => findEntity(declared, key);
  return declared
    .flatMap((entity) => describeEntity(entity, { find, refuse: onRefusal }))
    .map(([model, table]) => schemaOf(model, table));
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
