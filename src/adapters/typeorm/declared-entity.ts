/** What decorators and `EntitySchema`s declare, read before any DataSource exists. */

import { getMetadataArgsStorage } from 'typeorm';
import type { ColumnOptions, ColumnType, EntitySchema } from 'typeorm';
import { configurationError } from '../../schema/index.ts';
import { annotatedName } from './annotations.ts';

/** A class as a value, abstract ones included. */
export type EntityClass = abstract new (...args: never[]) => object;

/** What `typeormRegistry` takes: an entity class or an `EntitySchema`. */
export type EntityDeclaration = EntityClass | EntitySchema<never>;

/** What TypeORM calls the thing it maps: the class, or the name of an `EntitySchema` without one. */
export type EntityKey = object | string;

/** One declared column. */
export interface DeclaredColumn {
  readonly property: string;
  readonly mode: string;
  readonly type: ColumnType | undefined;
  readonly options: ColumnOptions;
  readonly designType: unknown;
}

/** One declared relation. */
export interface DeclaredRelation {
  readonly property: string;
  readonly cardinality: 'one' | 'many';
  /** Whether its columns stand in the entity's own table. */
  readonly owning: boolean;
  /** What the options say; `undefined` where they are silent. */
  readonly nullable: boolean | undefined;
  readonly target: () => EntityKey;
}

/** An entity, or the class of an embedded one. */
export interface DeclaredPart {
  readonly columns: readonly DeclaredColumn[];
  readonly embeddeds: readonly DeclaredEmbedded[];
  readonly relations: readonly DeclaredRelation[];
  /** The class, whose annotations count; none for an `EntitySchema` without one. */
  readonly target: unknown;
}

/** An embedded entity. */
export interface DeclaredEmbedded {
  readonly property: string;
  readonly isArray: boolean;
  readonly part: () => DeclaredPart;
}

/** An entity with the names it goes by. */
export interface DeclaredEntity extends DeclaredPart {
  readonly key: EntityKey;
  readonly name: string;
  readonly model: string;
  /** Whether it is a child in single table inheritance. */
  readonly isChild: boolean;
}

/** Model name by convention: the entity's name with its first letter in lower case. */
export function modelNameOf(key: EntityKey, name: string): string {
  return annotatedName(key) ?? name.slice(0, 1).toLowerCase() + name.slice(1);
}

export function isEntitySchema(value: unknown): value is EntitySchema {
  const marked = value as { '@instanceof'?: unknown } | null;
  return marked?.['@instanceof'] === Symbol.for('EntitySchema');
}

/**
 * What is declared of an entity.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when TypeORM does not know the class as an entity
 */
export function declaredEntity(declaration: EntityDeclaration): DeclaredEntity {
  if (isEntitySchema(declaration)) return schemaEntity(declaration);
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
  return {
    ...classPart(declaration),
    key: declaration,
    name,
    model: modelNameOf(declaration, name),
    isChild: table.type === 'entity-child',
  };
}

/** The class and its ancestors, which TypeORM reads together. */
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
      type: options.type,
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

/** The property's type as the compiler emitted it, where it did. */
function designTypeOf(target: EntityClass, property: string): unknown {
  const { getMetadata } = Reflect as {
    getMetadata?: (key: string, prototype: object, property: string) => unknown;
  };
  return getMetadata?.('design:type', target.prototype as object, property);
}

const cardinalityOf = (relationType: string): 'one' | 'many' =>
  relationType === 'many-to-one' || relationType === 'one-to-one' ? 'one' : 'many';

/** What a relation names: a class, the name of an entity, or a function that gives either. */
function targetOf(type: unknown): EntityKey {
  const isClass =
    typeof type === 'function' && /^class\b/.test(Function.prototype.toString.call(type));
  const given = typeof type === 'function' && !isClass ? (type as () => unknown)() : type;
  if (isEntitySchema(given)) return schemaKey(given);
  return given as EntityKey;
}

function schemaKey({ options }: EntitySchema): EntityKey {
  return options.target ?? options.name;
}

function schemaEntity(schema: EntitySchema): DeclaredEntity {
  const key = schemaKey(schema);
  const name = typeof key === 'function' ? (key as { name: string }).name : schema.options.name;
  return {
    ...schemaPart(schema),
    key,
    name,
    model: modelNameOf(key, name),
    isChild: schema.options.type === 'entity-child',
  };
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
  return {
    target: options.target,
    columns: Object.entries(options.columns).flatMap(([property, column]) => {
      if (!column) return [];
      const mode = column.virtualProperty
        ? 'virtual-property'
        : (schemaModes.find((each) => column[each]) ?? 'regular');
      const said = column as ColumnOptions;
      return [{ property, mode, type: column.type, options: said, designType: undefined }];
    }),
    embeddeds: Object.entries(options.embeddeds ?? {}).flatMap(([property, embedded]) =>
      embedded
        ? [
            {
              property,
              isArray: embedded.array === true,
              part: () => schemaPart(embedded.schema),
            },
          ]
        : [],
    ),
    relations: Object.entries(options.relations ?? {}).flatMap(([property, relation]) =>
      relation
        ? [
            {
              property,
              cardinality: cardinalityOf(relation.type),
              owning: relation.type === 'many-to-one' || Boolean(relation.joinColumn),
              nullable: relation.nullable,
              target: () => targetOf(relation.target),
            },
          ]
        : [],
    ),
  };
}
