/** The statement that reads the long texts of a position, of which a cursor contains only the beginnings. */

import type { KeysetPosition, OrderTerm, PlanValue } from '../../../rules/index.ts';
import type { OrderColumn } from '../../read/cursor-text.ts';
import type { StatementParts } from '../compile-plan.ts';
import type { ReadPosition } from '../order/member-order.ts';
import { lowerOrder, orderColumnsOf } from '../order/order.ts';
import { positionBinder, positionOperand } from './position-value.ts';
import type { Scope } from '../scope.ts';
import { Selection } from '../selection.ts';
import { type Sql, type StatementText, join } from '../sql-text.ts';

/** A statement that reads the row with the key of a position, and the columns of its texts, as the position has them. */
export interface LongTexts {
  readonly statement: StatementText;
  readonly texts: readonly OrderColumn[];
}

/**
 * The clauses of the statement: the texts in the order of `begins`, of the row with the position's key that meets the
 * conditions.
 */
export function longTextParts(
  scope: Scope,
  terms: readonly OrderTerm[],
  { values, begins = [] }: KeysetPosition,
  rows: readonly Sql[],
): Pick<LongTexts, 'texts'> & { readonly parts: StatementParts } {
  const { dialect } = scope.context;
  const { primaryKey } = scope.root.model.schema;
  const lowered = (at: readonly number[]) =>
    lowerOrder(
      scope,
      at.flatMap((index) => terms[index] ?? []),
      false,
    );
  const keys = terms.flatMap(({ path, target: { hops } }, index) =>
    hops.length === 0 && primaryKey.includes(path) ? [index] : [],
  );
  const conditions = lowered(keys).map(({ sql, column, positions }, part): Sql => {
    const index = keys[part] ?? 0;
    if (values[index] === null) return [sql, ' is null'];
    const bind = positionBinder(dialect, column);
    const read: ReadPosition = ({ position }) => bind(position[index] ?? '') as PlanValue;
    return positions && typeof sql === 'string'
      ? positions.equal(sql, read)
      : [sql, ' = ', positionOperand(dialect, column, { read }, values[index] ?? null)];
  });
  const selection = new Selection(scope);
  const texts = orderColumnsOf(scope, selection, lowered(begins.map(({ index }) => index)));
  const { columns } = selection;
  const where = join([...conditions, ...rows], ' and ');
  return {
    texts,
    parts: { columns, joins: scope.joins, where, orderBy: null, limit: 1, offset: false },
  };
}
