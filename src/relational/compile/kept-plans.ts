/** Caches the compiled plans of a source by shape, weighted by the memory of their statements. */

import { BoundedCache } from '../../lib/index.ts';
import type { CompiledPlan } from './compile-plan.ts';

/** Number of plans of usual size; the least recently used plans are dropped. */
const capacity = 500;
/** Largest number of slots of a plan of usual size. Where lists are written out, a request can cause thousands. */
const usualSlots = 100;

/** A plan with many slots counts as several, so that the cache stays within about 20 MB. */
function weight({ data, count }: CompiledPlan): number {
  const slots = data.statement.slots.length + (count?.statement.slots.length ?? 0);
  return Math.max(1, slots / usualSlots);
}

/** An empty cache of compiled plans by shape. */
export function keptPlans(): BoundedCache<string, CompiledPlan> {
  return new BoundedCache(capacity, weight);
}
