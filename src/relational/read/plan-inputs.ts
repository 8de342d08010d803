/** The values that a plan binds into the statements of its shape. */

import type { ResolvedPlan } from '../../rules/index.ts';
import { conditionValues } from '../compile/predicate.ts';
import type { StatementInputs } from '../compile/sql-text.ts';

export function planInputs({ page, where }: ResolvedPlan): StatementInputs {
  return {
    conditions: conditionValues(where, []),
    position: page.mode === 'keyset' && page.position ? page.position.values : [],
    offset: page.mode === 'offset' ? page.offset : 0,
    keys: [],
  };
}
