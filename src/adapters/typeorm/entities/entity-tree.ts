/**
 * A projection as a tree of TypeORM entities with their properties, and with keys that are selected but not shown.
 */

import type { ObjectLiteral } from 'typeorm';
import {
  type ProjectionNode,
  type ProjectionRelation,
  markTruncated,
} from '../../../rules/index.ts';
import { type SchemaRegistry, fieldNamed } from '../../../schema/index.ts';
import type { EntityMetadata, RelationMetadata } from '../describe/metadata-types.ts';

/** An entity of a row, with all of its embedded entities. */
export interface EntityNode {
  readonly model: string;
  readonly metadata: EntityMetadata;
  /** Property paths that are shown. */
  readonly shown: string[];
  /**
   * Property paths of the key that are not shown. They are selected because TypeORM treats an entity whose columns are
   * all null as absent, and distinguishes the rows of a join by their keys.
   */
  readonly hidden: string[];
  readonly joins: EntityJoin[];
}

/** An included relation, which is joined. */
interface EntityJoin {
  readonly relation: RelationMetadata;
  /** The model that declares it, which may be embedded, and what is shown of it there. */
  readonly declared: { readonly model: string; readonly projection: ProjectionRelation };
  readonly node: EntityNode;
}

/** The paths of a projection that the database computes, which entities get afterwards. */
export function computedFields(
  registry: SchemaRegistry,
  { model, fields }: ProjectionNode,
): readonly string[] {
  const schema = registry.get(model);
  return fields.filter((path) => schema && fieldNamed(schema, path)?.sql !== undefined);
}

/** Creates the tree of a projection of an entity. */
export function entityTree(
  metadata: EntityMetadata,
  projection: ProjectionNode,
  registry: SchemaRegistry,
): EntityNode {
  const tree: EntityNode = { model: projection.model, metadata, shown: [], hidden: [], joins: [] };
  fill(tree, '', projection, registry);
  const shown = new Set(tree.shown);
  for (const { propertyPath } of metadata.primaryColumns) {
    if (!shown.has(propertyPath)) tree.hidden.push(propertyPath);
  }
  return tree;
}

/** Adds the fields and relations of a projection; `prefix` is the path of the embedded entity that contains them. */
function fill(
  tree: EntityNode,
  prefix: string,
  node: ProjectionNode,
  registry: SchemaRegistry,
): void {
  const { model, fields, relations } = node;
  const computed = new Set(computedFields(registry, node));
  const stored = fields.filter((field) => !computed.has(field));
  tree.shown.push(...stored.map((field) => prefix + field));
  for (const projection of relations) {
    const { path, node: inner } = projection;
    const property = prefix + path;
    if (tree.metadata.findEmbeddedWithPropertyPath(property)) {
      fill(tree, `${property}.`, inner, registry);
      continue;
    }
    const relation = tree.metadata.findRelationWithPropertyPath(property);
    if (!relation) continue;
    const joined = entityTree(relation.inverseEntityMetadata, inner, registry);
    tree.joins.push({ relation, declared: { model, projection }, node: joined });
  }
}

/** Removes the hidden keys from entities that TypeORM has created, and the entities beyond the limits of lists. */
export function takeOffKeys(entities: readonly ObjectLiteral[], tree: EntityNode): void {
  for (const entity of entities) {
    for (const path of tree.hidden) takeOff(entity, path, tree.shown);
    for (const { relation, declared, node } of tree.joins) {
      const { maxChildren = Infinity } = declared.projection;
      // The loaded value of a lazy relation, which must not be queried again.
      const value = relation.getEntityValue(entity, true) as unknown;
      if (Array.isArray(value)) {
        if (value.length > maxChildren) {
          value.length = maxChildren;
          markTruncated(ownerOf(entity, relation), relation.propertyName);
        }
        takeOffKeys(value as ObjectLiteral[], node);
      } else if (value) takeOffKeys([value], node);
    }
  }
}

/** The entity, or the embedded entity, that has the relation. */
const ownerOf = (entity: ObjectLiteral, { propertyPath }: RelationMetadata): ObjectLiteral =>
  propertyPath
    .split('.')
    .slice(0, -1)
    .reduce((at, name) => at[name] as ObjectLiteral, entity);

/** Removes a property, and each enclosing embedded entity without shown properties. */
function takeOff(entity: ObjectLiteral, path: string, shown: readonly string[]): void {
  const dot = path.lastIndexOf('.');
  const owner = dot < 0 ? '' : path.slice(0, dot);
  const holder = owner
    .split('.')
    .filter((name) => name !== '')
    .reduce<ObjectLiteral | undefined>((at, name) => at?.[name] as ObjectLiteral, entity);
  if (!holder) return;
  const name = path.slice(dot + 1);
  // A property with a setter stores its value elsewhere.
  holder[name] = undefined;
  delete holder[name];
  if (owner !== '' && !shown.some((other) => other.startsWith(`${owner}.`))) {
    takeOff(entity, owner, shown);
  }
}
