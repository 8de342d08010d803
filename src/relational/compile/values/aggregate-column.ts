/** The type of a value over the rows of a relation, as a column, and the check that the storage can give it. */

import { type AggregateField, type CompiledQueryRules, aggregateOf } from '../../../rules/index.ts';
import { type FieldKind, configurationError } from '../../../schema/index.ts';
import {
  type LoweringContext,
  type ModelContext,
  columnOf,
  modelOf,
  relationOf,
} from '../model-context.ts';
import type { PhysicalColumn } from '../physical.ts';

/** The types of sums, and of numbers of rows. */
const types: Readonly<Partial<Record<FieldKind, string>>> = {
  integer: 'bigint',
  bigint: 'bigint',
  decimal: 'decimal',
  float: 'double precision',
};

/** The value as a column of the rows that have the relation. */
export function aggregateColumn(
  context: LoweringContext,
  model: ModelContext,
  { path, kind, aggregate: { type, relation, of } }: AggregateField,
): PhysicalColumn {
  const target = modelOf(context, relationOf(model, relation.path).target);
  const column = of && columnOf(target, of.path);
  if (column && type !== 'sum') return { ...column, path, name: path };
  // The sum of 64-bit integers is a whole number, which drivers would round.
  const sqlType = of?.kind === 'bigint' ? 'bigint' : (types[kind] ?? kind);
  const numbersAsText = column?.numbersAsText;
  return { path, name: path, kind, storage: 'native', sqlType, numbersAsText };
}

/**
 * Refuses values over relations that the storage cannot give.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the ORM rewrites the column of a field, or it holds decimals as text
 */
export function assertAggregates(rules: CompiledQueryRules, context: LoweringContext): void {
  for (const [path, { field }] of rules.aggregates) {
    const { type, relation, of } = aggregateOf(field) ?? {};
    if (!relation || !of) continue;
    const { codec, storage } = columnOf(modelOf(context, relation.target), of.path);
    const reason =
      codec && (type === 'sum' || !codec.exact)
        ? 'the column has a transformer, so that the database does not have its values'
        : storage === 'numeric-text' && 'the column stores decimals as text';
    if (!reason) continue;
    throw configurationError(`rules.aggregates "${path}": ${reason}; leave out the field.`, {
      rule: 'aggregates',
      path,
    });
  }
}
