/** Order terms and keyset predicates. */

import type { KeysetPosition, OrderTerm } from '../../rules/index.ts';
import { kindRow } from '../../schema/index.ts';
import { orderField } from './condition.ts';
import { type Bind, type Dialect, binderOf } from './dialect.ts';
import { columnOf } from './model-context.ts';
import type { PhysicalColumn } from './physical.ts';
import type { Scope } from './scope.ts';
import { columnSql } from './sql-names.ts';
import { type Slot, type Sql, join } from './sql-text.ts';

/** An order term of a statement. */
export interface LoweredOrder {
  readonly sql: string;
  readonly column: PhysicalColumn;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
  readonly nullable: boolean;
}

/** Resolves the terms in a scope; `reversed` is set for pages that are read backwards. */
export function lowerOrder(
  scope: Scope,
  terms: readonly OrderTerm[],
  reversed: boolean,
): readonly LoweredOrder[] {
  return terms.map(({ path, target: { hops, field }, direction, nulls }) => {
    let place = scope.root;
    for (const hop of hops) place = scope.follow(place, hop);
    if (!field) throw new TypeError(`"${path}" is a relation, which has no order.`);
    const compared = orderField(place.model, field);
    const column = storedColumn(columnOf(place.model, compared.path));
    return {
      sql: columnSql(scope.context, place.alias, column.name),
      column,
      direction: reversed === (direction === 'asc') ? 'desc' : 'asc',
      nulls: reversed === (nulls === 'first') ? 'last' : 'first',
      // The companion of a value may be null.
      nullable: place.optional || field.nullable || compared.nullable,
    };
  });
}

/**
 * The column without an inexact codec: the database orders stored values, so cursors contain these. One shown value may
 * represent several stored values, or sort differently.
 */
function storedColumn(column: PhysicalColumn): PhysicalColumn {
  return column.codec && !column.codec.exact ? { ...column, codec: undefined } : column;
}

/** The ORDER BY list. */
export function orderSql(scope: Scope, order: readonly LoweredOrder[]): Sql {
  const { dialect } = scope.context;
  return join(
    order.map((term) => dialect.orderBy(term.sql, term, term.nullable)),
    ', ',
  );
}

/**
 * Selects the rows after a position in the order of reading. Nulls are compared explicitly. A bound on the first term
 * precedes the alternatives, so that the database can use it for an index scan.
 */
export function keysetPredicate(
  scope: Scope,
  order: readonly LoweredOrder[],
  position: KeysetPosition,
): Sql {
  const { dialect } = scope.context;
  const operands = order.map((term, index) => {
    const bind = positionBinder(dialect, term.column);
    const slot: Slot = {
      read: ({ position: values }) => {
        const value = values[index];
        return value === null || value === undefined ? null : bind(value);
      },
    };
    return dialect.operand(term.column, slot);
  });
  const isNull = position.values.map((value) => value === null);
  const uniform = order.every((term) => term.direction === order[0]?.direction && !term.nullable);
  if (dialect.comparesRows && uniform) return rowComparison(order, operands, position.inclusive);
  const equal = (index: number): Sql => {
    const term = order[index] as LoweredOrder;
    return isNull[index] ? `${term.sql} is null` : [`${term.sql} = `, operands[index] ?? ''];
  };
  const beyond = (index: number): Sql => {
    const term = order[index] as LoweredOrder;
    if (isNull[index]) return term.nulls === 'first' ? `${term.sql} is not null` : '1 = 0';
    const test: Sql = [`${term.sql} ${sign(term)} `, operands[index] ?? ''];
    return term.nullable && term.nulls === 'last' ? ['(', test, ` or ${term.sql} is null)`] : test;
  };
  const from = (index: number): Sql => {
    if (index === order.length - 1) {
      return position.inclusive ? ['(', beyond(index), ' or ', equal(index), ')'] : beyond(index);
    }
    return ['(', beyond(index), ' or (', equal(index), ' and ', from(index + 1), '))'];
  };
  const [first] = order;
  if (!first || order.length === 1 || isNull[0] || (first.nullable && first.nulls === 'last')) {
    return from(0);
  }
  return [`${first.sql} ${sign(first)}= `, operands[0] ?? '', ' and ', from(0)];
}

/** Binds a value of a position. Stored text that is not a value of the kind, such as `infinity`, is kept unchanged. */
function positionBinder(dialect: Dialect, column: PhysicalColumn): Bind {
  const bind = binderOf(dialect, column, 'never');
  const { coerce } = kindRow(column.kind);
  return (value) => {
    const canonical = coerce(String(value));
    return canonical === undefined ? value : bind(canonical);
  };
}

function sign(term: LoweredOrder): '>' | '<' {
  return term.direction === 'asc' ? '>' : '<';
}

function rowComparison(
  order: readonly LoweredOrder[],
  operands: readonly Sql[],
  inclusive: boolean,
): Sql {
  const [first] = order;
  const test = `${first ? sign(first) : '>'}${inclusive ? '=' : ''}`;
  const columns = order.map((term) => term.sql);
  if (columns.length === 1) return [`${columns.join()} ${test} `, operands];
  return [`(${columns.join(', ')}) ${test} (`, join(operands, ', '), ')'];
}
