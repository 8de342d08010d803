/** Random choices, for jobs that sometimes fail. */

import { randomInt } from 'node:crypto';

/** True with a probability of one in `sides`. */
export const roll = (sides: number): boolean => randomInt(sides) === 0;

/** A random item. */
export function oneOf<Item>(items: readonly [Item, ...Item[]]): Item {
  return items[randomInt(items.length)] ?? items[0];
}
