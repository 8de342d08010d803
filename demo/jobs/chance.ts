/** Chance, for jobs that sometimes fail and take a while. */

import { randomInt } from 'node:crypto';

/** True once in `sides` times. */
export const roll = (sides: number): boolean => randomInt(sides) === 0;

/** One of some. */
export function oneOf<Item>(items: readonly [Item, ...Item[]]): Item {
  return items[randomInt(items.length)] ?? items[0];
}
