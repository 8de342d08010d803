/** Order terms and keyset predicates. */

import { type FieldDescriptor, fieldNamed } from '../../../schema/index.ts';
import {
  type KeysetPosition,
  type OrderTerm,
  type PlanValue,
  isAggregate,
  orderTerm,
  resolvedTarget,
} from '../../../rules/index.ts';
import { type OrderColumn, cursorTextOf } from '../../read/cursor-text.ts';
import { columnOfField, orderField } from '../condition.ts';
import { type Dialect, isNullSql } from '../dialect.ts';
import { PositionOrder, type ReadPosition } from './member-order.ts';
import { type LoweringContext, type ModelContext, modelOf } from '../model-context.ts';
import { absence } from '../predicate.ts';
import type { PhysicalColumn } from '../physical.ts';
import { positionBinder, positionOperand } from '../values/position-value.ts';
import type { Scope } from '../scope.ts';
import type { Selection } from '../selection.ts';
import { valueSql } from '../sql-names.ts';
import { type Slot, type Sql, join } from '../sql-text.ts';

/** An order term of a statement. */
export interface LoweredOrder {
  readonly sql: Sql;
  /** Whether it is worked out for each row, as a value over a relation is, so that no index has it. */
  readonly isComputed: boolean;
  /** The table of the column. */
  readonly alias: string;
  readonly column: PhysicalColumn;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
  readonly nullable: boolean;
  /** The test for null. */
  readonly isNull: Sql;
  /** Whether that is a test of columns of the root, though the value is one of a row to which they refer. */
  readonly isOwnNull: boolean;
  /** Whether the column belongs to the primary key of the listed rows. */
  readonly isKey: boolean;
  /** Set for an enum that the family compares in another order. */
  readonly positions: PositionOrder | null;
}

/** Order terms for the primary key of a model. */
export function keyTerms(
  context: LoweringContext,
  model: string,
  nulls: OrderTerm['nulls'],
): OrderTerm[] {
  return modelOf(context, model).schema.primaryKey.flatMap((path) => {
    const target = resolvedTarget(context.registry, model, path);
    return target ? [orderTerm(target, { direction: 'asc', nulls })] : [];
  });
}

/** Resolves the terms in a scope; `reversed` is set for pages that are read backwards. */
export function lowerOrder(
  scope: Scope,
  terms: readonly OrderTerm[],
  reversed: boolean,
): readonly LoweredOrder[] {
  return terms.map(({ path, target: { hops, field }, direction, nulls }) => {
    let place = scope.root;
    // An index on the field is read in its order where no row can be without it.
    for (const hop of hops) place = scope.follow(place, hop, 'inner');
    if (!field) throw new TypeError(`"${path}" is a relation, which has no order.`);
    const compared = orderField(place.model, field);
    const stored = storedColumn(columnOfField(scope, place, compared));
    const asText = textForm(scope, place.model, stored, compared);
    const column = asText ? textColumn(stored) : stored;
    const sql = valueSql(scope.context, place, column);
    const { member } = column;
    // An array, so that it is not taken for the name of a column.
    const own: Sql = member
      ? [scope.context.dialect.jsonMember(column, member, sql)]
      : asText
        ? asText(sql)
        : sql;
    const isComputed = isAggregate(compared);
    const compiled = isComputed ? scope.context.aggregate(scope, place, compared) : own;
    const [hop, ...more] = hops;
    const isOfRow = hop !== undefined && more.length === 0 && !isComputed && compared === field;
    const { splitsNulls } = scope.context.dialect;
    const absent =
      isOfRow && !field.nullable && splitsNulls !== null
        ? absence(scope, scope.root, hop, true)
        : undefined;
    return {
      sql: compiled,
      isComputed,
      alias: place.alias,
      column,
      isNull: absent ?? isNullSql(scope.context.dialect, compiled, column, place.optional),
      isOwnNull: absent !== undefined,
      positions: isComputed ? null : PositionOrder.of(scope.context.dialect, column, compared),
      isKey: hops.length === 0 && place.model.schema.primaryKey.includes(field.path),
      direction: reversed === (direction === 'asc') ? 'desc' : 'asc',
      nulls: reversed === (nulls === 'first') ? 'last' : 'first',
      // A companion may not be filled yet, whatever the schema declares.
      nullable: place.optional || field.nullable || compared !== field || stored.keepsNull === true,
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

/**
 * How an enum beside its companion is ordered where the family orders enums by position and compares them as text: the
 * order of the members is that of the companion, and their positions are not known. `null` for other columns.
 */
function textForm(
  { context: { dialect } }: Scope,
  { schema }: ModelContext,
  { kind, sqlType }: PhysicalColumn,
  field: FieldDescriptor,
): Dialect['enumText'] {
  const companion = fieldNamed(schema, field.path)?.portableOrderField;
  const isBeside = companion !== undefined && kind === 'enum' && dialect.isEnumType(sqlType);
  return isBeside ? dialect.enumText : null;
}

const textColumn = ({ path, name }: PhysicalColumn): PhysicalColumn => ({
  path,
  name,
  kind: 'string',
  storage: 'native',
  sqlType: 'text',
});

/** Selects the columns of the terms, from which cursors are made. */
export function orderColumnsOf(
  { context: { dialect } }: Scope,
  selection: Selection,
  order: readonly LoweredOrder[],
): readonly OrderColumn[] {
  return order.map(({ sql, column, positions, isKey }) => ({
    index:
      typeof sql !== 'string'
        ? selection.computed(column.member ? dialect.selectMember(sql, column) : sql, column)
        : positions
          ? selection.computed(positions.selected(sql), column)
          : selection.position(sql, column, isKey),
    text: cursorTextOf(column, dialect),
  }));
}

export function orderSql(scope: Scope, order: readonly LoweredOrder[]): Sql {
  const { dialect } = scope.context;
  return join(
    order.map((term) => dialect.orderBy(term.sql, term, term.nullable)),
    ', ',
  );
}

/**
 * Selects the rows after a position in the order of reading. Nulls are compared explicitly. A bound on the first term
 * precedes the alternatives, so that the database can use it for an index scan. Terms before `start` are equal in all rows.
 */
export function keysetPredicate(
  scope: Scope,
  order: readonly LoweredOrder[],
  position: KeysetPosition,
  start = 0,
): Sql {
  const { dialect } = scope.context;
  const operands = order.map((_, index) => operandAt(dialect, order, position, index));
  const reader = (index: number): ReadPosition => {
    const bind = positionBinder(dialect, (order[index] as LoweredOrder).column);
    return (inputs) => bind(inputs.position[index] ?? '') as PlanValue;
  };
  const isNull = position.values.map((value) => value === null);
  // Nulls before the position are excluded by the comparison itself.
  const [first, ...more] = order.slice(start);
  const uniform = order.slice(start).every(
    (term) =>
      term.direction === first?.direction &&
      // No index serves a comparison with columns of several tables.
      term.alias === first.alias &&
      !(term.nullable && term.nulls === 'last'),
  );
  // SQLite stores null in keys, too.
  const isComplete = !isNull.slice(start).includes(true);
  if (dialect.comparesRows && uniform && isComplete)
    return rowComparison(order.slice(start), operands.slice(start), position.inclusive);
  const equal = (index: number): Sql => {
    const { sql, positions, isNull: absent } = order[index] as LoweredOrder;
    if (isNull[index]) return absent;
    return positions && typeof sql === 'string'
      ? positions.equal(sql, reader(index))
      : [sql, ' = ', operands[index] ?? ''];
  };
  const compare = (index: number, inclusive: boolean): Sql => {
    const term = order[index] as LoweredOrder;
    const { sql, positions, direction } = term;
    if (positions && typeof sql === 'string')
      return positions.beyond(sql, reader(index), direction, inclusive);
    return [sql, ` ${sign(term)}${inclusive ? '= ' : ' '}`, operands[index] ?? ''];
  };
  /** `null` where no value is beyond. */
  const beyond = (index: number): Sql | null => {
    const term = order[index] as LoweredOrder;
    if (isNull[index]) return term.nulls === 'first' ? [term.sql, ' is not null'] : null;
    const test = compare(index, false);
    return term.nullable && term.nulls === 'last' ? ['(', test, ' or ', term.isNull, ')'] : test;
  };
  const from = (index: number): Sql => {
    const isLast = index === order.length - 1;
    const found = beyond(index);
    if (isLast && !position.inclusive) return found ?? '1 = 0';
    // SQLite uses no index for `1 = 0 or ...`.
    const same = isLast ? equal(index) : [equal(index), ' and ', from(index + 1)];
    if (found === null) return same;
    return ['(', found, ' or ', isLast ? same : ['(', same, ')'], ')'];
  };
  const isFlat =
    more.length === 0 ||
    first?.isComputed ||
    isNull[start] ||
    (first?.nullable && first.nulls === 'last');
  return isFlat ? from(start) : [compare(start, true), ' and ', from(start)];
}

/** The value of a position, compared with the column of its term. */
function operandAt(
  dialect: Dialect,
  order: readonly LoweredOrder[],
  { values: known }: KeysetPosition,
  index: number,
): Sql {
  const { column } = order[index] as LoweredOrder;
  const bind = positionBinder(dialect, column);
  const slot: Slot = {
    read: ({ position: values }) => {
      const value = values[index];
      return value === null || value === undefined ? null : bind(value);
    },
  };
  return positionOperand(dialect, column, slot, known[index] ?? null);
}

/** Selects the rows of a position's value in the first term, which is not null. */
export const equalFirst = (
  { context: { dialect } }: Scope,
  order: readonly LoweredOrder[],
  position: KeysetPosition,
): Sql => [order[0]?.sql ?? '', ' = ', operandAt(dialect, order, position, 0)];

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
  if (columns.length === 1) return [columns, ` ${test} `, operands];
  return ['(', join(columns, ', '), `) ${test} (`, join(operands, ', '), ')'];
}
