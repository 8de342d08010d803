/** Rows and the relations between them, followed in memory. */

import type { FieldDescriptor } from '../../../src/schema/index.ts';
import type { MatrixModel, ModelRelation, StoredRow } from '../fixtures/model.ts';
import { fieldDescriptors } from '../fixtures/model.ts';
import { joinRows } from '../fixtures/dataset.ts';
import { models } from '../fixtures/models.ts';

/** Rows by model name. */
export type Dataset = ReadonlyMap<string, readonly StoredRow[]>;

const byName = new Map(models.map((model) => [model.model, model]));
const descriptors = new Map(models.map((model) => [model.model, fieldDescriptors(model)]));

/** A model of the matrix. */
export function modelOf(name: string): MatrixModel {
  const model = byName.get(name);
  if (!model) throw new TypeError(`The matrix has no model ${name}.`);
  return model;
}

/** A field of a model, companions included. */
export function fieldOf(model: string, path: string): FieldDescriptor | undefined {
  return descriptors.get(model)?.find((field) => field.path === path);
}

/** A relation of a model. */
export function relationOf(model: string, path: string): ModelRelation | undefined {
  return modelOf(model).relations.find((relation) => relation.path === path);
}

const agree = (
  a: StoredRow,
  aPaths: readonly string[],
  b: StoredRow,
  bPaths: readonly string[],
): boolean => aPaths.every((path, at) => a[path] !== null && a[path] === b[bPaths[at] as string]);

/** The rows a relation leads to from a row, in the order of the dataset. */
export function related(data: Dataset, relation: ModelRelation, row: StoredRow): StoredRow[] {
  const targets = data.get(relation.target) ?? [];
  const { from, to, through } = relation;
  if (!through) return targets.filter((target) => agree(row, from, target, to));
  const links = (joinRows.get(through.table) ?? []).filter((link) =>
    agree(row, from, link, through.from),
  );
  return targets.filter((target) => links.some((link) => agree(target, to, link, through.to)));
}

/**
 * The rows at the end of a chain of relations. An absent `one` is `null`, as in a left join; an empty
 * `many` ends the chain.
 */
export function reach(
  data: Dataset,
  model: string,
  row: StoredRow,
  path: readonly string[],
): { readonly model: string; readonly rows: readonly (StoredRow | null)[] } {
  let at: { model: string; rows: (StoredRow | null)[] } = { model, rows: [row] };
  for (const segment of path) {
    const relation = relationOf(at.model, segment);
    if (!relation) throw new TypeError(`${at.model} has no relation ${segment}.`);
    const next = at.rows.flatMap((each): (StoredRow | null)[] => {
      const found = each ? related(data, relation, each) : [];
      return relation.cardinality === 'one' ? [found[0] ?? null] : found;
    });
    at = { model: relation.target, rows: next };
  }
  return at;
}
