/** A fast 60-bit hash of a text. It detects altered readable cursors; it is not cryptographic. */

import { asciiBytes } from './ascii.ts';

// Two odd multipliers as 32-bit integers: a number beyond 31 bits would make every step work on doubles.
const left = 2_654_435_761 | 0;
const right = 1_597_334_677;

/** The UTF-16 units of a text, until the next call. */
function unitsOf(text: string): ArrayLike<number> {
  const unitAt = (_: unknown, index: number) => text.charCodeAt(index);
  return asciiBytes(text) ?? Uint16Array.from({ length: text.length }, unitAt);
}

/** Hash of the text: two decimal numbers separated by an `x`. */
export function textHash(text: string): string {
  const units = unitsOf(text);
  let high = 0x1eadbeef;
  let low = 0x41c6ce57;
  const even = text.length & ~1;
  // Each step depends on the previous multiplication, so one step consumes two units.
  for (let index = 0; index < even; index += 2) {
    const pair = (units[index] as number) | ((units[index + 1] as number) << 16);
    high = Math.imul(high ^ pair, left);
    low = Math.imul(low ^ pair, right);
    high ^= high >>> 15;
  }
  if (even < text.length) {
    high = Math.imul(high ^ (units[even] as number), left);
    low = Math.imul(low ^ (units[even] as number), right);
  }
  low ^= text.length;
  high = mix(high) ^ mix(low ^ (low >>> 13));
  low = mix(low) ^ mix(high ^ (high >>> 13));
  // Engines format small integers fastest in decimal.
  return `${high >>> 2}x${low >>> 2}`;
}

/** Spreads the last characters, which few multiplications have mixed, over all bits. */
function mix(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x45d9f3b);
  return Math.imul(once ^ (once >>> 15), 0x45d9f3b);
}
