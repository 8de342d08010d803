/** Refuses rules that need an order which the family's storage does not have: decimals stored as text. */

import { type CompiledQueryRules, type ResolvedPath, operatorRow } from '../../rules/index.ts';
import { configurationError } from '../../schema/index.ts';
import { type LoweringContext, columnOf, modelOf } from './model-context.ts';

/**
 * Checks the rules against the source's storage.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a decimal in a text column is sorted or compared by order
 * without a `portableOrderField`
 */
export function assertOrders(rules: CompiledQueryRules, context: LoweringContext): void {
  for (const { target } of rules.sorts.values()) assertOrder(context, target);
  for (const { target, operators } of rules.filters.values()) {
    const ordered = [...operators].some((operator) => operatorRow(operator).need === 'order');
    if (ordered) assertOrder(context, target);
  }
  for (const { target, row } of rules.scopes?.conditions ?? []) {
    if (row.need === 'order') assertOrder(context, target);
  }
}

function assertOrder(context: LoweringContext, { field, model, path }: ResolvedPath) {
  if (field?.kind !== 'decimal' || field.portableOrderField) return;
  if (columnOf(modelOf(context, model), field.path).storage !== 'numeric-text') return;
  throw configurationError(
    `${model}.${field.path}: a decimal stored as text has no numeric order; add a portableOrderField.`,
    { model, path },
  );
}
