/**
 * The root table of a merged page: the first rows of each part, in the order of the page, joined by UNION ALL. An index
 * that begins with the field of the parts and continues with the order serves each part; over all of them, it would not.
 */

import type { PlanValue, ResolvedCondition, ResolvedPlan } from '../../../rules/index.ts';
import { keysetPredicate, lowerOrder, orderSql } from '../order/order.ts';
import { lowerCondition, lowerPredicate } from '../predicate.ts';
import type { Scope } from '../scope.ts';
import { selectPart } from './select-part.ts';
import { type Sql, join } from '../sql-text.ts';

/** The parts of a merged page: a condition that the field equals a value, and the values. */
export interface MergedParts {
  readonly condition: ResolvedCondition;
  readonly values: readonly PlanValue[];
}

/** The table in a scope of its own; `window` limits each part. */
export function mergedTable(
  scope: Scope,
  plan: ResolvedPlan,
  { condition, values }: MergedParts,
  reversed: boolean,
  window: Sql,
): Sql {
  const { context, root } = scope;
  const { dialect } = context;
  const form = dialect.existential.page;
  const order = lowerOrder(scope, plan.order, reversed);
  const { page } = plan;
  const shared = [
    plan.where && lowerPredicate(scope, plan.where, form),
    page.mode === 'keyset' && page.position ? keysetPredicate(scope, order, page.position) : null,
    context.rowCondition(scope, root, 'where'),
  ].filter((predicate) => predicate !== null);
  const parts = values.map((_value, index): Sql => {
    const inPart = lowerCondition(
      scope,
      root,
      {
        condition,
        value: (inputs) => inputs.parts[index] as PlanValue,
        form,
        emptiness: context.apartForm,
        isPart: true,
      },
      0,
    );
    return [
      'select * from (',
      selectPart(scope, [inPart, ...shared], [' order by ', orderSql(scope, order), window]),
      `) as ${dialect.quote(`p${index}`)}`,
    ];
  });
  return ['(', join(parts, ' union all '), ')'];
}
