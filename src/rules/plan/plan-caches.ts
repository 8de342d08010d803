/** Parts of plans that recur: the order and the projection of a parameter text, per endpoint. */

import { BoundedCache } from '../../lib/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { OrderTerm, ProjectionNode } from './plan.ts';

/** Frozen plan parts by the text that asked for them. */
export interface PlanCaches {
  readonly orders: BoundedCache<string, readonly OrderTerm[]>;
  readonly projections: BoundedCache<string, ProjectionNode>;
}

const caches = new WeakMap<CompiledQueryRules, PlanCaches>();

/** The caches of an endpoint. Equal texts share one frozen object, which adapters may key on. */
export function planCaches(rules: CompiledQueryRules): PlanCaches {
  let found = caches.get(rules);
  if (!found) {
    found = { orders: new BoundedCache(200), projections: new BoundedCache(200) };
    caches.set(rules, found);
  }
  return found;
}
