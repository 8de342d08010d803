/** A projection tree on TypeORM's builder: the properties of each entity, and joins for included ones. */

import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { ProjectionNode } from '../../rules/index.ts';
import { fieldNamed } from '../../schema/index.ts';
import type { LoweringContext, Sql } from '../../relational/index.ts';
import type { EntityMetadata } from './metadata-types.ts';

type Builder = SelectQueryBuilder<ObjectLiteral>;

/** Whether any include multiplies rows. */
export function joinsMany({ relations }: ProjectionNode): boolean {
  return relations.some(({ cardinality, node }) => cardinality === 'many' || joinsMany(node));
}

/**
 * Selects the fields of a projection and joins its includes. Returns the order of the rows of `many` includes, each
 * term with a comma in front: it follows the order of the page.
 */
export function selectEntities(
  builder: Builder,
  metadata: EntityMetadata,
  projection: ProjectionNode,
  context: LoweringContext,
): Sql[] {
  const order: Sql[] = [];
  let joined = 0;
  const select = (
    alias: string,
    of: EntityMetadata,
    prefix: string,
    node: ProjectionNode,
  ): void => {
    const paths =
      node.fields.length > 0 || prefix !== ''
        ? node.fields.map((field) => prefix + field)
        : of.primaryColumns.map((column) => column.propertyPath);
    for (const path of paths) builder.addSelect(`${alias}.${path}`);
    for (const { path, cardinality, node: below } of node.relations) {
      const property = prefix + path;
      if (of.findEmbeddedWithPropertyPath(property)) {
        select(alias, of, `${property}.`, below);
        continue;
      }
      const relation = of.findRelationWithPropertyPath(property);
      if (!relation) continue;
      joined += 1;
      const target = `sluice_${joined}`;
      builder.leftJoin(`${alias}.${property}`, target);
      if (cardinality === 'many') order.push(...keyOrder(builder, target, below.model, context));
      select(target, relation.inverseEntityMetadata, '', below);
    }
  };
  select(metadata.tableName, metadata, '', projection);
  return order;
}

/** The primary key of a model, by its order companions where it has them. */
function keyOrder(builder: Builder, alias: string, model: string, context: LoweringContext): Sql[] {
  const schema = context.registry.get(model);
  return (schema?.primaryKey ?? []).map((path) => {
    const field = schema && fieldNamed(schema, path);
    const column = context.physical.get(model)?.columns.get(field?.portableOrderField ?? path);
    return `, ${builder.escape(alias)}.${builder.escape(column?.name ?? path)} asc`;
  });
}
