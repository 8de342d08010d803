/** Reads the declarations of decorators and `EntitySchema`s before any DataSource exists. */

import { getMetadataArgsStorage, type ColumnOptions, type EntitySchema } from 'typeorm';
import { configurationError } from '../../../schema/index.ts';
import { annotatedName } from './annotations.ts';
import { designTypeOf } from './shown-type.ts';

/** A class as a value, including abstract classes. */
export type EntityClass = abstract new (...args: never[]) => object;

/** An `EntitySchema` of any entity. */
export interface AnyEntitySchema {
  /** TypeORM's own mark of an `EntitySchema`. */
  readonly '@instanceof': symbol;
  /** The options that the schema was made with. */
  readonly options: {
    /** Name of the entity. */
    readonly name: string;
    /** Columns by property. */
    readonly columns: object;
  };
}

/** An argument of `typeormRegistry`: an entity class or an `EntitySchema`. */
export type EntityDeclaration = EntityClass | AnyEntitySchema;

/** TypeORM's key of an entity: its class, or the name of an `EntitySchema` without a class. */
export type EntityKey = object | string;

export interface DeclaredColumn {
  readonly property: string;
  readonly mode: string;
  readonly options: ColumnOptions;
  readonly designType: unknown;
}

export interface DeclaredRelation {
  readonly property: string;
  readonly cardinality: 'one' | 'many';
  /** Whether its columns are in the entity's own table. */
  readonly owning: boolean;
  /** The declared value; `undefined` where the options do not set it. */
  readonly nullable: boolean | undefined;
  readonly target: () => EntityKey;
}

/** An entity, or the class of an embedded one. */
export interface DeclaredPart {
  readonly columns: readonly DeclaredColumn[];
  readonly embeddeds: readonly DeclaredEmbedded[];
  readonly relations: readonly DeclaredRelation[];
  /** The class, whose annotations apply; `undefined` for an `EntitySchema` without a class. */
  readonly target: unknown;
}

/** An embedded entity. */
export interface DeclaredEmbedded {
  readonly property: string;
  readonly isArray: boolean;
  readonly part: () => DeclaredPart;
}

/** An entity with its names. */
export interface DeclaredEntity extends DeclaredPart {
  readonly key: EntityKey;
  readonly name: string;
  readonly model: string;
  /** Whether it is a child in single table inheritance. */
  readonly isChild: boolean;
}

/** Names of models by class, as registries have used them. A class has one name in all registries. */
const usedNames = new WeakMap<object, string>();

/** Name of an entity's model: the one that is set, else the entity's name with its first letter in lower case. */
export function modelNameOf(key: EntityKey): string {
  const set =
    annotatedName(key) ??
    (typeof key === 'object' || typeof key === 'function' ? usedNames.get(key) : undefined);
  const name = nameOf(key);
  return set ?? name.slice(0, 1).toLowerCase() + name.slice(1);
}

/**
 * Sets the name of an entity's model.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the entity is missing or has another name, by `@QueryModel`, in
 * another registry, or because it is an `EntitySchema` without a class
 */
export function nameModel(model: string, declaration: EntityDeclaration | undefined): void {
  if (declaration === undefined) {
    throw configurationError(
      `entities.${model}: the entity is missing; where modules import each other make sure it is defined by then.`,
      { model },
    );
  }
  const key = isEntitySchema(declaration) ? schemaKey(declaration) : declaration;
  if (typeof key === 'function' && !annotatedName(key) && !usedNames.has(key)) {
    usedNames.set(key, model);
  }
  const known = modelNameOf(key);
  if (known === model) return;
  const reason =
    typeof key === 'string'
      ? 'an EntitySchema without a class is named after itself'
      : 'it is named by @QueryModel or by another registry';
  throw configurationError(
    `entities.${model}: the model of ${nameOf(key)} is "${known}", because ${reason}; use this name as the key.`,
    { model },
  );
}

export function isEntitySchema(value: unknown): value is EntitySchema {
  const marked = value as { '@instanceof'?: unknown } | null;
  return marked?.['@instanceof'] === Symbol.for('EntitySchema');
}

/** Whether a value is a class that is an entity by its decorators. */
export const isDecorated = (value: unknown): value is EntityClass =>
  typeof value === 'function' && getMetadataArgsStorage().filterTables(value).length > 0;

/**
 * The declaration of an entity.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the class is not an entity of TypeORM
 */
export function declaredEntity(declaration: EntityDeclaration): DeclaredEntity {
  if (isEntitySchema(declaration)) {
    return named(schemaKey(declaration), declaration.options, schemaPart(declaration));
  }
  if (typeof declaration !== 'function') {
    throw configurationError(
      'An entity is missing; pass classes or EntitySchemas, and where modules import each other make sure they are defined by then.',
    );
  }
  const { name } = declaration;
  const [table] = getMetadataArgsStorage().filterTables(declaration);
  if (!table) {
    throw configurationError(`${name}: not an entity of TypeORM; decorate the class with @Entity.`);
  }
  return named(declaration, table, classPart(declaration));
}

function named(
  key: EntityKey,
  { type }: { readonly type?: string | undefined },
  part: DeclaredPart,
): DeclaredEntity {
  const model = modelNameOf(key);
  if (typeof key === 'function') usedNames.set(key, model);
  return { ...part, key, name: nameOf(key), model, isChild: type === 'entity-child' };
}

const nameOf = (key: EntityKey): string =>
  typeof key === 'string' ? key : (key as { readonly name: string }).name;

/** The class and its ancestors, whose declarations TypeORM combines. */
function lineage(target: object): (new () => unknown)[] {
  const classes: (new () => unknown)[] = [];
  let current: unknown = target;
  while (typeof current === 'function' && current.prototype) {
    classes.push(current as new () => unknown);
    current = Object.getPrototypeOf(current);
  }
  return classes;
}

function classPart(target: EntityClass): DeclaredPart {
  const storage = getMetadataArgsStorage();
  const tree = lineage(target);
  return {
    target,
    columns: storage.filterColumns(tree).map(({ propertyName, mode, options }) => ({
      property: propertyName,
      mode,
      options,
      designType: designTypeOf(target, propertyName),
    })),
    embeddeds: storage.filterEmbeddeds(tree).map(({ propertyName, isArray, type }) => ({
      property: propertyName,
      isArray,
      part: () => classPart(type() as unknown as EntityClass),
    })),
    relations: storage.filterRelations(tree).map((relation) => ({
      property: relation.propertyName,
      cardinality: cardinalityOf(relation.relationType),
      owning:
        relation.relationType === 'many-to-one' ||
        storage.filterJoinColumns(relation.target, relation.propertyName).length > 0,
      nullable: relation.options.nullable,
      target: () => targetOf(relation.type),
    })),
  };
}

const cardinalityOf = (relationType: string): 'one' | 'many' =>
  relationType === 'many-to-one' || relationType === 'one-to-one' ? 'one' : 'many';

/** The target of a relation: the name of an entity, an `EntitySchema`, or a function that returns either, or a class. */
function targetOf(type: unknown): EntityKey {
  const given = typeof type === 'function' ? (type as () => unknown)() : type;
  if (isEntitySchema(given)) return schemaKey(given);
  return given as EntityKey;
}

export function schemaKey({ options }: EntitySchema): EntityKey {
  return options.target ?? options.name;
}

const schemaModes = [
  'createDate',
  'updateDate',
  'deleteDate',
  'version',
  'treeLevel',
  'objectId',
] as const;

function schemaPart({ options }: EntitySchema): DeclaredPart {
  const { target, columns, embeddeds, relations } = options;
  return {
    target,
    columns: declaredIn(columns).map(([property, column]) => ({
      property,
      mode: column.virtualProperty
        ? 'virtual-property'
        : (schemaModes.find((each) => column[each]) ?? 'regular'),
      options: column as ColumnOptions,
      designType: undefined,
    })),
    embeddeds: declaredIn(embeddeds).map(([property, { array, schema }]) => ({
      property,
      isArray: array === true,
      part: () => schemaPart(schema),
    })),
    relations: declaredIn(relations).map(([property, relation]) => ({
      property,
      cardinality: cardinalityOf(relation.type),
      owning: relation.type === 'many-to-one' || Boolean(relation.joinColumn),
      nullable: relation.nullable,
      target: () => targetOf(relation.target),
    })),
  };
}

/** The properties that a list of options declares. */
const declaredIn = <Declared>(list: { readonly [property: string]: Declared | undefined } = {}) =>
  Object.entries(list).filter((each): each is [string, Declared] => Boolean(each[1]));
