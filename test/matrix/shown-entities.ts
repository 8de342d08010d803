/** Entities as plain rows: every projected property in the form of its kind, by nothing but the plan's projection. */

import { truncatedIn } from '../../src/index.ts';
import type { ProjectionNode, QuerySource, Row } from '../../src/index.ts';
import { fieldNamed, kindRow } from '../../src/schema/index.ts';
import type { QuerySchema, SchemaRegistry } from '../../src/schema/index.ts';

type Entity = { readonly [property: string]: unknown };

/**
 * An entity as the row of its projection.
 *
 * @throws {TypeError} when the entity has properties that the projection does not show
 */
export function shownEntity(registry: SchemaRegistry, node: ProjectionNode, entity: Entity): Row {
  const schema = registry.get(node.model) as QuerySchema;
  const row: Row = {};
  for (const name of node.fields) {
    const { kind = 'string' } = fieldNamed(schema, name) ?? {};
    const value = entity[name] ?? null;
    row[name] = value === null ? null : kindRow(kind).present(value);
  }
  for (const { path } of node.aggregates ?? []) row[path] = entity[path];
  for (const { path, cardinality, node: below } of node.relations) {
    const value = entity[path];
    const show = (one: unknown) => shownEntity(registry, below, one as Entity);
    if (cardinality === 'many') row[path] = (value as readonly Entity[]).map(show);
    else row[path] = value === null ? null : show(value);
  }
  const truncated = truncatedIn(entity);
  if (truncated.length > 0) row['$truncated'] = truncated;
  const beyond = Object.keys(entity).filter((name) => !(name in row) && entity[name] !== undefined);
  if (beyond.length > 0) throw new TypeError(`${node.model} shows ${beyond.join()} unasked.`);
  return row;
}

/** A source of entities as one of plain rows. */
export function shownSource(source: QuerySource<object>): QuerySource {
  return {
    ...source,
    registry: source.registry,
    origin: source.origin,
    prepare: (plan, rules, options) => {
      const read = source.prepare(plan, rules, options);
      return {
        concurrent: read.concurrent,
        countKey: read.countKey,
        within: read.within,
        count: () => read.count(),
        rows: async () => {
          const page = await read.rows();
          const rows = page.rows.map((entity) =>
            shownEntity(rules.registry, plan.projection, entity as Entity),
          );
          return { ...page, rows };
        },
      };
    },
  } as QuerySource;
}
