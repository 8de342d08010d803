/** The values that a plan binds into the statements of its shape. */

import type { ResolvedPlan } from '../../rules/index.ts';
import type { MergedParts } from '../compile/page/merged-table.ts';
import { conditionValues } from '../compile/predicate.ts';
import type { StatementInputs } from '../compile/sql-text.ts';

const noScopes: StatementInputs['scopes'] = {};

export function planInputs(
  { page, where, scopes }: ResolvedPlan,
  merge: MergedParts | null = null,
): StatementInputs {
  return {
    conditions: conditionValues(where, []),
    scopes: scopes ? scopeValues(scopes) : noScopes,
    position: page.mode === 'keyset' && page.position ? page.position.values : [],
    offset: page.mode === 'offset' ? page.offset : 0,
    parts: merge ? merge.values : [],
    keys: [],
  };
}

function scopeValues(scopes: NonNullable<ResolvedPlan['scopes']>): StatementInputs['scopes'] {
  const values: { [model: string]: StatementInputs['conditions'] } = {};
  for (const model in scopes) values[model] = conditionValues(scopes[model] ?? null, []);
  return values;
}
