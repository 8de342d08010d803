/** Refuses rules that allow pattern operators on columns with a transformer. */

import { type CompiledQueryRules, operatorRow } from '../../rules/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { PhysicalSchema } from '../../relational/index.ts';

/**
 * Checks the operators of the rules against the transformers of the columns: the transformed part of a value is not
 * always a part of the transformed value.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a pattern operator is allowed on a column with a transformer;
 * the error names the model and the path
 */
export function assertPatterns(rules: CompiledQueryRules, physical: PhysicalSchema): void {
  const searched = [...rules.filters.values()].flatMap(({ target, operators }) =>
    [...operators].map((name) => ({ target, row: operatorRow(name) })),
  );
  for (const { target, row } of [...searched, ...(rules.scopes?.conditions ?? [])]) {
    const { field, model, path } = target;
    if (!field || row.need !== 'text') continue;
    if (!physical.get(model)?.columns.get(field.path)?.codec) continue;
    throw configurationError(
      `${model}.${field.path}: its column has a transformer, so that a pattern cannot be looked for in it; drop like and notLike, or use ilike with a folded column.`,
      { model, path },
    );
  }
}
