/** Predicates, order and projection of a plan, evaluated in memory as decisions-query means them. */

import type { OrderTerm, Predicate, ProjectionNode } from '../../../src/index.ts';
import type { FieldDescriptor } from '../../../src/schema/index.ts';
import type { Stored, StoredRow } from '../fixtures/model.ts';
import { compareText, compareValues, holds } from './compare.ts';
import { fieldOf, modelOf, reach, related, relationOf } from './graph.ts';
import type { Dataset } from './graph.ts';

/** Whether a row satisfies a predicate. */
export function satisfies(
  data: Dataset,
  model: string,
  row: StoredRow,
  predicate: Predicate | null,
): boolean {
  if (predicate === null) return true;
  if (predicate.type === 'and') {
    return predicate.predicates.every((part) => satisfies(data, model, row, part));
  }
  if (predicate.type === 'or') {
    return predicate.predicates.some((part) => satisfies(data, model, row, part));
  }
  const segments = predicate.path.split('.');
  const last = segments.pop() as string;
  const end = reach(data, model, row, segments);
  const field = fieldOf(end.model, last);
  if (field) return end.rows.some((each) => holds(field, each, predicate));
  const relation = relationOf(end.model, last);
  if (!relation) throw new TypeError(`${end.model} has no ${last}.`);
  return end.rows.some((each) => {
    const none = !each || related(data, relation, each).length === 0;
    return none === predicate.value;
  });
}

/** What a row is ordered by for one term: its field, and the value of it. */
interface OrderValue {
  readonly field: FieldDescriptor;
  readonly value: Stored;
}

function orderValue(data: Dataset, model: string, row: StoredRow, term: OrderTerm): OrderValue {
  const segments = term.path.split('.');
  const last = segments.pop() as string;
  const end = reach(data, model, row, segments);
  const field = fieldOf(end.model, last);
  if (!field) throw new TypeError(`${end.model} has no field ${last}.`);
  return { field, value: end.rows[0]?.[last] ?? null };
}

type Plain = string | number | boolean;

function byTerm(term: OrderTerm, a: Stored, b: Stored, compare: (a: Plain, b: Plain) => number) {
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === (term.nulls === 'first') ? -1 : 1;
  }
  const order = compare(a as Plain, b as Plain);
  return term.direction === 'asc' ? order : -order;
}

/** Orders two rows by all terms. */
export function compareRows(
  data: Dataset,
  model: string,
  order: readonly OrderTerm[],
  a: StoredRow,
  b: StoredRow,
): number {
  for (const term of order) {
    const left = orderValue(data, model, a, term);
    const right = orderValue(data, model, b, term);
    const compare = (x: Plain, y: Plain) => compareValues(left.field, x, y);
    const result = byTerm(term, left.value, right.value, compare);
    if (result !== 0) return result;
  }
  return 0;
}

/**
 * The texts of a row's order terms, as a cursor carries them: the order companion's where there is one,
 * for it is that column that is compared.
 */
export function positionOf(
  data: Dataset,
  model: string,
  order: readonly OrderTerm[],
  row: StoredRow,
): (string | null)[] {
  return order.map((term) => {
    const { field, value } = orderValue(data, model, row, term);
    if (value === null || !field.portableOrderField) return value === null ? null : String(value);
    const companion = term.path.replace(/[^.]+$/, field.portableOrderField);
    return String(orderValue(data, model, row, { ...term, path: companion }).value);
  });
}

/** Orders a row against the values of a cursor. */
export function compareToPosition(
  data: Dataset,
  model: string,
  order: readonly OrderTerm[],
  row: StoredRow,
  position: readonly (Plain | null)[],
): number {
  const own = positionOf(data, model, order, row);
  for (const [at, term] of order.entries()) {
    const { field } = orderValue(data, model, row, term);
    const compare = (a: Plain, b: Plain): number => {
      if (field.portableOrderField) return compareText(String(a), String(b));
      const typed = field.kind === 'boolean' ? String(a) === 'true' : a;
      return compareValues(field, typed, field.kind === 'boolean' ? String(b) === 'true' : b);
    };
    const result = byTerm(term, own[at] ?? null, position[at] ?? null, compare);
    if (result !== 0) return result;
  }
  return 0;
}

/** What is shown of a row: its fields, then its relations. */
export function project(
  data: Dataset,
  node: ProjectionNode,
  row: StoredRow,
): { [path: string]: unknown } {
  const shown: { [path: string]: unknown } = {};
  for (const path of node.fields) shown[path] = row[path] ?? null;
  for (const { path, cardinality, node: child } of node.relations) {
    const relation = relationOf(node.model, path);
    if (!relation) throw new TypeError(`${node.model} has no relation ${path}.`);
    const found = related(data, relation, row)
      .toSorted((a, b) => compareRows(data, child.model, keyOrder(child.model), a, b))
      .map((each) => project(data, child, each));
    shown[path] = cardinality === 'many' ? found : (found[0] ?? null);
  }
  return shown;
}

function keyOrder(model: string): OrderTerm[] {
  return modelOf(model)
    .fields.filter((field) => field.primaryKey)
    .map((field) => ({ path: field.path, direction: 'asc', nulls: 'first' }));
}
