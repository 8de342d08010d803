/** Caches, per endpoint, the order and the projection that a parameter text resolves to. */

import { BoundedCache } from '../../lib/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { OrderTerm, ProjectionNode } from './plan.ts';

/** Frozen parts of plans by the parameter text they come from. */
interface PlanCaches {
  readonly orders: BoundedCache<string, readonly OrderTerm[]>;
  readonly projections: BoundedCache<string, ProjectionNode>;
}

const caches = new WeakMap<CompiledQueryRules, PlanCaches>();

/** The caches of an endpoint. Equal texts share one frozen object, which adapters may use as a cache key. */
export function planCaches(rules: CompiledQueryRules): PlanCaches {
  let found = caches.get(rules);
  if (!found) {
    found = { orders: new BoundedCache(200), projections: new BoundedCache(200) };
    caches.set(rules, found);
  }
  return found;
}
