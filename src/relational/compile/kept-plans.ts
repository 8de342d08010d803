/** How many compiled plans a source keeps: by shape, and by how much memory their statements take. */

import { BoundedCache } from '../../lib/index.ts';
import type { CompiledPlan } from './compile-plan.ts';

/** Plans of usual size; a client that sends ever new shapes pushes out old ones. */
const capacity = 500;
/** Slots that a plan of usual size has at most. Where lists are written out, a request can ask for thousands. */
const usualSlots = 100;

/** A plan of many slots takes the room of several, so that the whole stays within some 20 MB. */
function weight({ data, count }: CompiledPlan): number {
  const slots = data.statement.slots.length + (count?.statement.slots.length ?? 0);
  return Math.max(1, slots / usualSlots);
}

/** An empty collection of compiled plans by shape. */
export function keptPlans(): BoundedCache<string, CompiledPlan> {
  return new BoundedCache(capacity, weight);
}
