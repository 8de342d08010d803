/**
 * Combines conditions under AND in as few objects as possible, because the client's cost of a query grows with each.
 */

import type { Where } from './where.ts';

/**
 * A condition that is true where all conditions are; conditions on different fields share one object. The members of
 * the first remain at the top level: Prisma ignores an empty `OR` under an `AND`, and a host may add one.
 */
export function allOf(conditions: readonly Where[]): Where {
  const together: { [name: string]: unknown } = {};
  const apart: Where[] = [];
  for (const condition of conditions) {
    const isTaken = Object.keys(condition).some((name) => Object.hasOwn(together, name));
    if (isTaken) apart.push(condition);
    else Object.assign(together, condition);
  }
  if (apart.length === 0) return together;
  const { AND: own = [] } = together;
  return { ...together, AND: [...(Array.isArray(own) ? (own as Where[]) : [own]), ...apart] };
}
