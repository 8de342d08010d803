/**
 * The keys behind a position, as a condition on columns that equal them. A planner concludes from `a = b and b = 5` that `a`
 * is 5, but from `a = b and b > 5` nothing of `a`: it would read an index on `a` from its beginning.
 */

import type { KeysetPosition } from '../../../rules/index.ts';
import { keyNames } from '../model-context.ts';
import type { LoweredOrder } from '../order/order.ts';
import type { JoinedModel, Scope } from '../scope.ts';
import { columnSql } from '../sql-names.ts';
import type { Slot } from '../sql-text.ts';
import { positionBinder } from '../values/position-value.ts';

/** The range of a page in the order of its key; `undefined` for other pages, and where the family has no use for it. */
export function keyRange(
  { context, root }: Scope,
  order: readonly LoweredOrder[],
  position: KeysetPosition | null,
): JoinedModel['range'] {
  const { dialect } = context;
  const [term, ...more] = order;
  const [key = ''] = keyNames(root.model);
  if (!position || !term?.isKey || more.length > 0) return undefined;
  const { column, direction } = term;
  if (column.storage !== 'native') return undefined;
  const bind = positionBinder(dialect, column);
  const slot: Slot = { read: ({ position: [value] }) => value && bind(value) };
  const operand = dialect.keyOperand?.(column, slot);
  if (!operand) return undefined;
  const sign = `${direction === 'asc' ? '>' : '<'}${position.inclusive ? '=' : ''}`;
  return ({ from, to }, alias) => {
    const equal = to[from.indexOf(key)];
    return equal && [columnSql(context, alias, equal), ` ${sign} `, operand];
  };
}
