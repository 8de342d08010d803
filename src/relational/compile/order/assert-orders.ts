/**
 * Refuses rules that need an order which the family's storage does not have: decimals stored as text, and enums whose
 * members the database has in another order than the schema.
 */

import {
  type CompiledQueryRules,
  type ResolvedPath,
  askedRowsOf,
  aggregateOf,
  hostPaths,
  operatorRow,
} from '../../../rules/index.ts';
import { configurationError } from '../../../schema/index.ts';
import { binderOf } from '../dialect.ts';
import { type LoweringContext, columnOf, modelOf } from '../model-context.ts';

/**
 * Checks the rules against the source's storage.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a decimal in a text column is sorted or compared by order
 * without a `portableOrderField`, or an enum whose type has its members in another order
 */
export function assertOrders(rules: CompiledQueryRules, context: LoweringContext): void {
  for (const { sorts, filters } of askedRowsOf(rules)) {
    for (const { target } of sorts.values()) assertOrder(context, target);
    for (const { target, operators } of filters.values()) {
      const ordered = [...operators].some((operator) => operatorRow(operator).need === 'order');
      if (ordered) assertOrder(context, target);
    }
  }
  for (const { target, row } of hostPaths(rules)) {
    if (row?.need === 'order') assertOrder(context, target);
  }
}

function assertOrder(context: LoweringContext, { field, model, path }: ResolvedPath) {
  if (!field || field.portableOrderField || aggregateOf(field)) return;
  if (field.kind !== 'decimal' && field.kind !== 'enum') return;
  const column = columnOf(modelOf(context, model), field.path);
  const { storage, members, codec } = column;
  if (field.kind === 'decimal' && storage === 'numeric-text') {
    throw configurationError(
      `${model}.${field.path}: a decimal stored as text has no numeric order; add a portableOrderField.`,
      { model, path },
    );
  }
  // Columns that the ORM rewrites have the order of their stored values.
  if (!members || (codec && !codec.exact)) return;
  const bind = binderOf(context.dialect, column, 'never');
  const stored = (field.enumValues ?? []).map((member) => members.indexOf(String(bind(member))));
  if (stored.every((position, at) => at === 0 || position > (stored[at - 1] ?? 0))) return;
  throw configurationError(
    `${model}.${field.path}: the column orders its members as ${members.join(', ')}; declare "enumValues" in this order, or add a portableOrderField.`,
    { model, path },
  );
}
