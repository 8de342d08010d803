/** Conditions of the board in the plan of a listing. */

import type { Predicate, TransformPlan } from '../../rules/index.ts';

/** Adds conditions to a plan. */
export const adding =
  (members: readonly Predicate[]): TransformPlan =>
  (plan) =>
    members.length === 0
      ? plan
      : {
          ...plan,
          where: { type: 'and', predicates: plan.where ? [plan.where, ...members] : members },
        };
