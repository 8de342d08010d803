/** Refuses rules that look for a pattern in what a transformer has stored. */

import { type CompiledQueryRules, operatorRow } from '../../rules/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { PhysicalSchema } from '../../relational/index.ts';

/**
 * Checks the rules against the columns' transformers: part of a value is not transformed to a part of what is stored.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a pattern is looked for in a transformed column, naming model and path
 */
export function assertPatterns(rules: CompiledQueryRules, physical: PhysicalSchema): void {
  for (const { target, operators } of rules.filters.values()) {
    const { field, model, path } = target;
    const isSearched = [...operators].some((name) => operatorRow(name).need === 'text');
    if (!field || !isSearched) continue;
    if (!physical.get(model)?.columns.get(field.path)?.codec) continue;
    throw configurationError(
      `${model}.${field.path}: its column has a transformer, so that a pattern cannot be looked for in it; drop like and notLike, or use ilike with a folded column.`,
      { model, path },
    );
  }
}
