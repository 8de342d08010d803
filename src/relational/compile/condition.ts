/** One condition on one column: operator, operand, and the column that is compared. */

import { portableOrderKey, type FieldDescriptor } from '../../schema/index.ts';
import type { ConditionPredicate, OperatorName, PlanValue } from '../../rules/index.ts';
import { type Bind, binderOf } from './dialect.ts';
import { type ModelContext, columnOf, fieldOf } from './model-context.ts';
import type { PhysicalColumn } from './physical.ts';
import type { Place, Scope } from './scope.ts';
import { columnSql } from './sql-names.ts';
import type { Slot, Sql, StatementInputs } from './sql-text.ts';

const comparisons: Readonly<Partial<Record<OperatorName, string>>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** The column a field is ordered by: its order companion where it has one. */
export function orderColumn(model: ModelContext, path: string): PhysicalColumn {
  return columnOf(model, fieldOf(model, path).portableOrderField ?? path);
}

interface Compared {
  readonly column: PhysicalColumn;
  readonly bind: Bind;
}

/** Which column an operator compares, and how its values are bound. */
function compared(
  scope: Scope,
  model: ModelContext,
  field: FieldDescriptor,
  operator: OperatorName,
): Compared {
  const { dialect } = scope.context;
  const byOrder = operator in orderOperators;
  const inexact = field.kind === 'decimal' && !dialect.exactDecimals;
  if (field.portableOrderField && (byOrder || inexact)) {
    const column = columnOf(model, field.portableOrderField);
    return { column, bind: (value) => portableOrderKey(field, value) };
  }
  const column = columnOf(model, field.path);
  return { column, bind: binderOf(dialect, column, operator) };
}

const orderOperators: Readonly<Partial<Record<OperatorName, true>>> = {
  gt: true,
  gte: true,
  lt: true,
  lte: true,
  between: true,
};

/** The condition on a field of a place. `index` is where its value stands among the conditions. */
export function fieldCondition(
  scope: Scope,
  place: Place,
  condition: ConditionPredicate,
  fieldPath: string,
  index: number,
): Sql {
  const { dialect } = scope.context;
  const { operator, value } = condition;
  const field = fieldOf(place.model, fieldPath);
  const sqlOf = (column: PhysicalColumn) => columnSql(scope.context, place.alias, column.name);
  const single = (inputs: StatementInputs) => inputs.conditions[index] as PlanValue;
  const many = (inputs: StatementInputs) => inputs.conditions[index] as readonly PlanValue[];
  switch (operator) {
    case 'isNull':
      return [
        sqlOf(columnOf(place.model, fieldPath)),
        value === true ? ' is null' : ' is not null',
      ];
    case 'like':
    case 'notLike':
    case 'ilike':
    case 'notIlike': {
      const folds = operator === 'ilike' || operator === 'notIlike';
      const path = folds ? (field.foldedField ?? fieldPath) : fieldPath;
      const column = columnOf(place.model, path);
      const slot: Slot = {
        read: (inputs) => dialect.pattern(String(single(inputs))),
        steersPlan: true,
      };
      const form = dialect.patternForm(String(value));
      const test = dialect.contains(sqlOf(column), slot, column, form);
      return operator === 'like' || operator === 'ilike' ? test : ['not (', test, ')'];
    }
    case 'in':
    case 'notIn': {
      const { column, bind } = compared(scope, place.model, field, operator);
      const list = { column, length: (value as readonly PlanValue[]).length, read: many, bind };
      return dialect.membership(sqlOf(column), list, operator === 'notIn');
    }
    case 'between': {
      const low = compared(scope, place.model, field, 'gte');
      const high = compared(scope, place.model, field, 'lte');
      const { column } = low;
      const bound = ({ bind }: Compared, at: 0 | 1): Sql =>
        dialect.operand(column, { read: (inputs) => bind(many(inputs)[at] as PlanValue) });
      return [sqlOf(column), ' >= ', bound(low, 0), ' and ', sqlOf(column), ' <= ', bound(high, 1)];
    }
    default: {
      const { column, bind } = compared(scope, place.model, field, operator);
      const slot: Slot = { read: (inputs) => bind(single(inputs)) };
      return [sqlOf(column), ` ${comparisons[operator]} `, dialect.operand(column, slot)];
    }
  }
}
