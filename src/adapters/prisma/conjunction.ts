/** Conditions under AND in as few objects as say it: what the client does with a query grows with each of them. */

import type { Where } from './where.ts';

/**
 * What is true where all conditions are; conditions on different fields share one object. The members of the first
 * stay at the top: an `OR` of nothing, which a host may add, is no condition at all to Prisma under an `AND`.
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
