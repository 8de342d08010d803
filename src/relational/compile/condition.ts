/** Compiles one condition on one column: the operator, the operand and the compared column. */

import { type FieldDescriptor, fieldNamed, portableOrderKey } from '../../schema/index.ts';
import {
  type PlanValue,
  type ResolvedCondition,
  type Rounding,
  isAggregate,
} from '../../rules/index.ts';
import { aggregateColumn } from './values/aggregate-column.ts';
import { itemColumn } from './values/array-members.ts';
import { convertedBinder } from './values/converted-value.ts';
import { type Bind, binderOf, isNullSql } from './dialect.ts';
import { listedMembers, membersInOrder } from './order/member-order.ts';
import { type ModelContext, columnOf } from './model-context.ts';
import type { PhysicalColumn } from './physical.ts';
import type { JoinedModel, Scope } from './scope.ts';
import { literalsOf, steersPlan } from './literals.ts';
import { isUuidBytes } from './values/uuid-bytes.ts';
import { isFiner, lastShown, shownAmong, shownAs } from './values/shown-instants.ts';
import { columnSql, valueSql } from './sql-names.ts';
import { type Slot, type Sql, type StatementInputs, steering } from './sql-text.ts';

/** The field whose column a field is ordered by: its order companion, else the field itself. */
export function orderField({ schema }: ModelContext, field: FieldDescriptor): FieldDescriptor {
  const { portableOrderField } = field;
  return (portableOrderField && fieldNamed(schema, portableOrderField)) || field;
}

interface Compared {
  readonly column: PhysicalColumn;
  readonly bind: Bind;
}

/** The column of a field; a value over a relation is one of its type. */
export const columnOfField = (
  { context }: Scope,
  { model }: Pick<JoinedModel, 'model'>,
  field: FieldDescriptor,
): PhysicalColumn =>
  isAggregate(field) ? aggregateColumn(context, model, field) : columnOf(model, field.path);

/** The column that an operator compares, and how its values are bound. */
function compared(
  scope: Scope,
  joined: JoinedModel,
  field: FieldDescriptor,
  condition: ResolvedCondition,
  rounding: Rounding,
): Compared {
  const { dialect } = scope.context;
  const { model, unscoped } = joined;
  const { need } = condition.row;
  const inexact = field.kind === 'decimal' && !dialect.exactDecimals;
  if (field.portableOrderField && (need === 'order' || inexact)) {
    const column = columnOf(model, field.portableOrderField);
    return { column, bind: (value) => portableOrderKey(field, value) };
  }
  const column = columnOfField(scope, joined, field);
  // The scopes of a request have values of the host.
  const bind =
    column.codec && !unscoped
      ? convertedBinder(dialect, column, column.codec, condition, rounding)
      : binderOf(dialect, column, rounding);
  const toLast = rounding === 'down' && isFiner(dialect, column);
  return { column, bind: toLast ? (value) => bind(lastShown(value)) : bind };
}

/**
 * The condition on a field of a joined model. `operand` reads its value from the inputs of a statement; `isPart` is set for
 * one whose value is that of a part of a merged page, which one index serves whatever the value is.
 */
export function fieldCondition(
  scope: Scope,
  joined: JoinedModel,
  condition: ResolvedCondition,
  field: FieldDescriptor,
  operand: (inputs: StatementInputs) => ResolvedCondition['value'],
  isPart = false,
  isWithin = false,
): Sql {
  const isPlain = !isPart && !isAggregate(field);
  const written = isPlain ? literalCondition(scope, joined, condition, field) : undefined;
  if (written !== undefined) return written;
  const sql = comparison(scope, joined, condition, field, operand);
  const isSteered = isPlain && scope.context.dialect.namedStatements;
  return isSteered && steersPlan(joined, condition, field, isWithin) ? steering(sql) : sql;
}

/** The condition with its value in the text, where the value is one of few. The shape of the statement has it as well. */
function literalCondition(
  { context }: Scope,
  { model, alias }: JoinedModel,
  condition: ResolvedCondition,
  field: FieldDescriptor,
): Sql | undefined {
  const literals = literalsOf(context.dialect, field, condition);
  if (literals === undefined) return undefined;
  const { member, expression, codec, storage, name } = columnOf(model, field.path);
  if (member || expression || codec || storage !== 'native') return undefined;
  const { row } = condition;
  const isNegated = row.comparison === 'membership' && row.negated;
  const sign = row.comparison === 'equality' ? row.sql : isNegated ? 'not in' : 'in';
  return `${columnSql(context, alias, name)} ${sign} ${literals}`;
}

function comparison(
  scope: Scope,
  joined: JoinedModel,
  condition: ResolvedCondition,
  field: FieldDescriptor,
  operand: (inputs: StatementInputs) => ResolvedCondition['value'],
): Sql {
  const { row, value } = condition;
  const { dialect } = scope.context;
  const computed = isAggregate(field) ? scope.context.aggregate(scope, joined, field) : null;
  const sqlOf = (column: PhysicalColumn): Sql => {
    if (computed) return computed;
    const sql = valueSql(scope.context, joined, column);
    return column.member ? dialect.jsonMember(column, column.member, sql) : sql;
  };
  const single = (inputs: StatementInputs) => operand(inputs) as PlanValue;
  const many = (inputs: StatementInputs) => operand(inputs) as readonly PlanValue[];
  const against = (rounding: Rounding) => compared(scope, joined, field, condition, rounding);
  switch (row.comparison) {
    case 'members':
    case 'empty': {
      const column = columnOfField(scope, joined, field);
      const sql = sqlOf(column);
      const stored = columnSql(scope.context, joined.alias, column.name);
      const array = { column, stored, sql };
      if (row.comparison === 'empty')
        return [dialect.arrayLength(array), value === true ? ' = 0' : ' > 0'];
      const item = itemColumn(column);
      const list = {
        column: item,
        length: Array.isArray(value) ? value.length : 1,
        read: row.arity === 'list' ? many : (inputs: StatementInputs) => [single(inputs)],
        bind: binderOf(dialect, item, 'never'),
      };
      const has = dialect.hasMembers(array, list, row.wants === 'all');
      return row.negated ? ['(', sql, ' is not null and not (', has, '))'] : has;
    }
    case 'null': {
      const column = columnOfField(scope, joined, field);
      const sql = sqlOf(column);
      return value === true
        ? isNullSql(dialect, sql, column, joined.optional)
        : [sql, ' is not null'];
    }
    case 'pattern': {
      const folded = row.need === 'foldedText' ? field.foldedField : undefined;
      const column = folded ? columnOf(joined.model, folded) : columnOfField(scope, joined, field);
      const ownCase = row.need === 'text' || folded !== undefined;
      const pattern = ownCase ? dialect.pattern : dialect.foldedPattern;
      const slot: Slot = {
        read: (inputs) => pattern(String(single(inputs)), row.place),
        steersPlan: true,
      };
      const form = dialect.patternForm(String(value));
      const text = isUuidBytes(column) ? dialect.uuidText(sqlOf(column)) : sqlOf(column);
      const test = ownCase
        ? dialect.contains(text, slot, column, form, row.place)
        : dialect.containsFolded(text, slot, column, form, row.place);
      return row.negated ? ['not (', test, ')'] : test;
    }
    case 'membership': {
      const { column, bind } = against('never');
      const list = { column, length: (value as readonly PlanValue[]).length, read: many, bind };
      if (list.length > 0 && isFiner(dialect, column)) {
        const among = shownAmong(dialect, sqlOf(column), list);
        return row.negated ? ['not ', among] : among;
      }
      return dialect.membership(sqlOf(column), list, row.negated);
    }
    case 'range': {
      const low = against('up');
      const high = against('down');
      const { column } = low;
      const listed = listedMembers(dialect, column, field, low.bind);
      if (listed) {
        const list = membersInOrder(column, listed, row, (inputs) => many(inputs).map(low.bind));
        return dialect.membership(sqlOf(column), list, false);
      }
      const bound = ({ bind }: Compared, at: 0 | 1): Sql =>
        dialect.operand(column, { read: (inputs) => bind(many(inputs)[at] as PlanValue) });
      if (computed) return [computed, ' between ', bound(low, 0), ' and ', bound(high, 1)];
      return [sqlOf(column), ' >= ', bound(low, 0), ' and ', sqlOf(column), ' <= ', bound(high, 1)];
    }
    case 'order': {
      const { column, bind } = against(row.rounds);
      const listed = listedMembers(dialect, column, field, bind);
      if (listed) {
        const list = membersInOrder(column, listed, row, (inputs) => [bind(single(inputs))]);
        return dialect.membership(sqlOf(column), list, false);
      }
      const slot: Slot = { read: (inputs) => bind(single(inputs)) };
      return [sqlOf(column), ` ${row.sql} `, dialect.operand(column, slot)];
    }
    case 'equality': {
      const { column, bind } = against('never');
      if (isFiner(dialect, column)) {
        const shown = shownAs(dialect, { column, bind }, sqlOf(column), single);
        return row.negated ? ['not ', shown] : shown;
      }
      const slot: Slot = { read: (inputs) => bind(single(inputs)) };
      const equal: Sql = [sqlOf(column), ` ${row.sql} `, dialect.operand(column, slot)];
      if (!column.member || row.negated) return equal;
      const json = columnSql(scope.context, joined.alias, column.name);
      const indexed = dialect.jsonContains?.(column, column.member, json, single);
      return indexed ? ['(', indexed, ' and ', equal, ')'] : equal;
    }
  }
}
