/** Selects the properties of entities in TypeORM's query builder, and joins included relations. */

import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { fieldNamed } from '../../../schema/index.ts';
import {
  type LoweringContext,
  type Sql,
  includeAt,
  includeOrderAt,
} from '../../../relational/index.ts';
import type { ResolvedPlan } from '../../../rules/index.ts';
import type { EntityNode } from './entity-tree.ts';
import { joinOneByOne } from '../foreign.ts';
import type { Mark } from '../select-builder.ts';

type Builder = SelectQueryBuilder<ObjectLiteral>;

const isMany = ({ isOneToMany, isManyToMany }: EntityNode['joins'][number]['relation']): boolean =>
  isOneToMany || isManyToMany;

/** Whether any include multiplies rows. */
export function joinsMany({ joins }: EntityNode): boolean {
  return joins.some(({ relation, node }) => isMany(relation) || joinsMany(node));
}

/**
 * Selects the properties of a tree and joins its includes, whose rows are those of their scopes. Returns the order of
 * the rows of `many` includes, each term with a leading comma, to be appended to the order of the page.
 */
export function selectEntities(
  builder: Builder,
  tree: EntityNode,
  context: LoweringContext,
  plan: ResolvedPlan,
  mark: Mark,
): Sql[] {
  const order: Sql[] = [];
  let joined = 0;
  const select = (alias: string, { shown, hidden, joins }: EntityNode): void => {
    for (const path of [...shown, ...hidden]) builder.addSelect(`${alias}.${path}`);
    for (const { relation, declared, node } of joins) {
      joined += 1;
      const target = `sluice_${joined}`;
      const condition = includeAt(context, plan, { ...declared, alias }, target);
      builder.leftJoin(
        `${alias}.${relation.propertyPath}`,
        target,
        condition ? mark(condition) : undefined,
      );
      if (isMany(relation)) {
        const asked = includeOrderAt(context, plan, declared.projection, target);
        const terms = asked.length > 0 ? asked : keyOrder(builder, target, node.model, context);
        order.push(...terms.flatMap((term): Sql[] => [', ', term]));
      }
      select(target, node);
    }
  };
  const { tableName } = tree.metadata;
  if (tableName in {}) joinOneByOne(builder);
  select(tableName, tree);
  return order;
}

/** Order terms for the primary key of a model, with the order companions of its fields where they exist. */
function keyOrder(builder: Builder, alias: string, model: string, context: LoweringContext): Sql[] {
  const schema = context.registry.get(model);
  return (schema?.primaryKey ?? []).map((path) => {
    const field = schema && fieldNamed(schema, path);
    const companion = field?.portableOrderField;
    const column = context.physical.get(model)?.columns.get(companion ?? path);
    const ordered = `${builder.escape(alias)}.${builder.escape(column?.name ?? path)}`;
    const term = { direction: 'asc', nulls: 'first' } as const;
    return context.dialect.orderBy(ordered, term, companion !== undefined);
  });
}
