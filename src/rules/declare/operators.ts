/** The fourteen operators, one row each: arity, whether they negate, and which comparison they make. */

/** Operator names of a filter. */
export type OperatorName =
  | 'eq'
  | 'ne'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'in'
  | 'notIn'
  | 'between'
  | 'like'
  | 'notLike'
  | 'ilike'
  | 'notIlike'
  | 'isNull';

/** What a field must offer for the operator: equality, a total order, text, folded text, or null. */
export type OperatorNeed = 'equality' | 'order' | 'text' | 'foldedText' | 'null';

/** One operator. */
export interface OperatorRow {
  readonly name: OperatorName;
  /** `one` value, any `list`, a `pair` low and high, or a `flag` (`true false 1 0`). */
  readonly arity: 'one' | 'list' | 'pair' | 'flag';
  readonly need: OperatorNeed;
}

const rows: readonly OperatorRow[] = [
  { name: 'eq', arity: 'one', need: 'equality' },
  { name: 'ne', arity: 'one', need: 'equality' },
  { name: 'gt', arity: 'one', need: 'order' },
  { name: 'gte', arity: 'one', need: 'order' },
  { name: 'lt', arity: 'one', need: 'order' },
  { name: 'lte', arity: 'one', need: 'order' },
  { name: 'in', arity: 'list', need: 'equality' },
  { name: 'notIn', arity: 'list', need: 'equality' },
  { name: 'between', arity: 'pair', need: 'order' },
  { name: 'like', arity: 'one', need: 'text' },
  { name: 'notLike', arity: 'one', need: 'text' },
  { name: 'ilike', arity: 'one', need: 'foldedText' },
  { name: 'notIlike', arity: 'one', need: 'foldedText' },
  { name: 'isNull', arity: 'flag', need: 'null' },
];

/** Operators by name. A `Map`, so that `constructor` or `__proto__` never resolves. */
export const operators: ReadonlyMap<string, OperatorRow> = new Map(
  rows.map((row) => [row.name, Object.freeze(row)]),
);

/** All operator names, in the order of the documents. */
export const operatorNames: readonly OperatorName[] = rows.map((row) => row.name);
