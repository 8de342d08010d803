/**
 * Values over relations on entities, which have no columns for them: a further statement reads them with the keys of the
 * page's rows, and each entity gets those of its key. A row that is gone in the meantime leaves its entity without them.
 */

import type { ObjectLiteral } from 'typeorm';
import { oncePer } from '../../../lib/index.ts';
import type { ProjectionNode, Row } from '../../../rules/index.ts';
import type { LoweringContext } from '../../../relational/index.ts';
import type { EntityNode } from './entity-tree.ts';

/** Whether the rows of a projection, or rows included with them, show values over relations. */
export const showsValues: (node: ProjectionNode) => boolean = oncePer(
  ({ aggregates, relations }) =>
    aggregates !== undefined || relations.some(({ node }) => showsValues(node)),
);

/** The values of a projection with the keys of their rows. */
export function valuesOnly(
  registry: LoweringContext['registry'],
  node: ProjectionNode,
): ProjectionNode {
  const { model, aggregates, relations } = node;
  return {
    model,
    fields: registry.get(model)?.primaryKey ?? [],
    ...(aggregates && { aggregates }),
    relations: relations.flatMap((relation) =>
      showsValues(relation.node)
        ? [{ ...relation, node: valuesOnly(registry, relation.node) }]
        : [],
    ),
  };
}

/** Gives entities the values of the rows with their keys. */
export function fillValues(
  { fields, aggregates = [], relations }: ProjectionNode,
  { joins }: EntityNode,
  entities: readonly ObjectLiteral[],
  rows: readonly Row[],
): void {
  const keyOf = (row: Readonly<Record<string, unknown>>) =>
    JSON.stringify(fields.map((path) => keyText(row[path])));
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  for (const entity of entities) {
    const row = byKey.get(keyOf(entity));
    if (!row) continue;
    for (const { path } of aggregates) entity[path] = row[path];
    for (const { path, node } of relations) {
      const join = joins.find(({ declared }) => declared.projection.path === path);
      // The loaded value of a lazy relation, which must not be queried again.
      const value = join?.relation.getEntityValue(entity, true) as unknown;
      if (join)
        fillValues(node, join.node, listed(value) as ObjectLiteral[], listed(row[path]) as Row[]);
    }
  }
}

const listed = (value: unknown): unknown[] => (value ? [value].flat() : []);

/** A part of a key as text; entities may have it in another form than rows. */
function keyText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value);
}
