/**
 * Values over relations and computed fields on entities, which have no columns for them: a further statement reads them with
 * the keys of the page's rows, and each entity gets those of its key. A row that is gone in the meantime leaves its entity
 * without them.
 */

import type { ObjectLiteral } from 'typeorm';
import { oncePer } from '../../../lib/index.ts';
import type { ProjectionNode, Row } from '../../../rules/index.ts';
import type { LoweringContext } from '../../../relational/index.ts';
import { type EntityNode, computedFields } from './entity-tree.ts';

type Registry = LoweringContext['registry'];

/** Whether the rows of a projection, or rows included with them, show values without a column. */
export const showsValues: (node: ProjectionNode, registry: Registry) => boolean = oncePer(
  (node, registry) =>
    node.aggregates !== undefined ||
    computedFields(registry, node).length > 0 ||
    node.relations.some(({ node: inner }) => showsValues(inner, registry)),
);

/** The values of a projection with the keys of their rows. */
export function valuesOnly(registry: Registry, node: ProjectionNode): ProjectionNode {
  const { model, aggregates, relations } = node;
  return {
    model,
    fields: [...(registry.get(model)?.primaryKey ?? []), ...computedFields(registry, node)],
    ...(aggregates && { aggregates }),
    relations: relations.flatMap((relation) =>
      showsValues(relation.node, registry)
        ? [{ ...relation, node: valuesOnly(registry, relation.node) }]
        : [],
    ),
  };
}

/** Gives entities the values of the rows with their keys. */
export function fillValues(
  context: LoweringContext,
  node: ProjectionNode,
  tree: EntityNode,
  entities: readonly ObjectLiteral[],
  rows: readonly Row[],
): void {
  const key = context.registry.get(node.model)?.primaryKey ?? [];
  const columns = keyColumns(context, node.model, key, tree);
  const byKey = new Map(rows.map((row) => [keyText(key.map((path) => row[path])), row]));
  /** Fills an entity, or one that is embedded in it behind the prefix. */
  const fill = (
    whole: ObjectLiteral,
    prefix: string,
    part: ObjectLiteral,
    shown: ProjectionNode,
    row: Row,
  ) => {
    const { aggregates = [], relations } = shown;
    for (const { path } of aggregates) part[path] = row[path];
    for (const path of computedFields(context.registry, shown)) part[path] = row[path];
    for (const { path, node: inner } of relations) {
      const property = prefix + path;
      const join = tree.joins.find(({ relation }) => relation.propertyPath === property);
      if (join) {
        // The loaded value of a lazy relation, which must not be queried again.
        const value = join.relation.getEntityValue(whole, true) as unknown;
        const found = listed(value) as ObjectLiteral[];
        fillValues(context, inner, join.node, found, listed(row[path]) as Row[]);
      } else if (part[path] && row[path]) {
        const embedded = part[path] as ObjectLiteral;
        fill(whole, `${property}.`, embedded, inner, row[path] as Row);
      }
    }
  };
  for (const entity of entities) {
    const row = byKey.get(keyText(columns.map((column) => column?.getEntityValue(entity))));
    if (row) fill(entity, '', entity, node, row);
  }
}

/** The columns of the key; a key in an embedded entity has another path there. */
const keyColumns = (
  context: LoweringContext,
  model: string,
  key: readonly string[],
  { metadata }: EntityNode,
) =>
  key.map((path) => {
    const name = context.physical.get(model)?.columns.get(path)?.name;
    return metadata.columns.find(({ databaseName }) => databaseName === name);
  });

const listed = (value: unknown): unknown[] => (value ? [value].flat() : []);

/** A key as text; entities may have its parts in another form than rows. */
const keyText = (parts: readonly unknown[]): string => JSON.stringify(parts.map(partText));

function partText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value);
}
