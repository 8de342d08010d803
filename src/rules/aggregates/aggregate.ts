/**
 * Values over the rows of a relation with many rows, such as their number: what rules say of them, and the field that each
 * of them is for filters, sorts and projections.
 */

import type { FieldDescriptor, RelationDescriptor } from '../../schema/index.ts';
import type { Predicate, ResolvedPredicate } from '../plan/plan.ts';

/** The values over the rows of one relation that filters, sorts and fields of the rules may name. */
export interface AggregateRule {
  /** Whether the number of rows exists, as `posts.$count`. It is 0 without rows. Default `false`. */
  readonly count?: boolean;
  /**
   * Number fields of the related rows whose sums exist, as `posts.$sum.amount`. A sum is null without values. The sum of
   * 32-bit integers has kind `bigint`, that of 64-bit ones kind `decimal`. Default: none.
   */
  readonly sum?: readonly string[];
  /** Fields of the related rows whose smallest value exists, as `posts.$min.createdAt`; null without values. Default: none. */
  readonly min?: readonly string[];
  /** Fields of the related rows whose greatest value exists, as `posts.$max.createdAt`; null without values. Default: none. */
  readonly max?: readonly string[];
  /**
   * Conditions of the related rows by name. Each adds the same values over the rows that meet it, under its name:
   * `published` adds `posts.$count.published` and `posts.$sum.amount.published`. Paths begin at the related rows.
   * Default: none.
   */
  readonly where?: { readonly [name: string]: Predicate };
}

/** Values over relations by the path of the relation, such as `posts` or `company.employees`. */
export interface AggregateRules {
  readonly [relationPath: string]: AggregateRule;
}

/** A value over the rows of a relation. */
export interface Aggregate {
  readonly type: 'count' | 'sum' | 'min' | 'max';
  /** The relation with many rows, of the model that has the field. */
  readonly relation: RelationDescriptor;
  /** The field of the related rows; `null` where they are counted. */
  readonly of: FieldDescriptor | null;
  /** The condition of the rows; `null` where all of them count. */
  readonly where: ResolvedPredicate | null;
  /** Tells apart conditions that different rules give one name. */
  readonly shape: string;
}

/** A value over the rows of a relation as a field of the model that has the relation. */
export interface AggregateField extends FieldDescriptor {
  readonly aggregate: Aggregate;
}

/** Whether a field is a value over the rows of a relation. */
export const isAggregate = (field: FieldDescriptor): field is AggregateField =>
  'aggregate' in field;

/** The value that a field stands for; `undefined` for a field of the model itself. */
export const aggregateOf = (field: FieldDescriptor | null | undefined): Aggregate | undefined =>
  field && isAggregate(field) ? field.aggregate : undefined;
