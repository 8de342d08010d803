/** Stands for the kept plans in the build for browsers, where few requests are planned. */

import type { ResolvedPlan } from './plan.ts';

export { planOf as keptPlan } from './plan-query.ts';

/** No plan is kept. */
export const memoOf = (_plan: ResolvedPlan): undefined => undefined;
