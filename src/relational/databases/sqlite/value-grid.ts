/** Decimals as doubles, for a family that stores them so: a double keeps every decimal of 15 digits. */

import type { Rounding } from '../../../rules/index.ts';

const digitsKept = 15;

/** The digits of a number between its first and its last that is not zero. */
const significant = (text: string): string =>
  text.replace(/e.*/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');

/**
 * A number that compares with every stored decimal of at most 15 digits as the exact value does. A value of more digits
 * is a double if it is the text of one, as computed values are shown. Any other lies between two decimals of 15 digits
 * and is rounded to one; where no stored value may equal it, the largest double represents it, which no column contains
 * and which JSON can carry.
 */
export function onGrid(text: string, rounding: Rounding): number {
  const digits = significant(text);
  const nearest = Number(text);
  if (digits.length <= digitsKept || digits === significant(String(nearest))) return nearest;
  if (rounding === 'never') return Number.MAX_VALUE;
  const negative = text.startsWith('-');
  return Number(neighbour(text, (rounding === 'up') !== negative));
}

/** The 15-digit decimal next to the value, away from zero or towards it. */
function neighbour(text: string, awayFromZero: boolean): string {
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const digits = whole + fraction;
  const leading = digits.length - digits.replace(/^0+/, '').length;
  const kept = BigInt(digits.slice(leading, leading + digitsKept));
  const mantissa = awayFromZero ? kept + 1n : kept;
  const exponent = whole.length - leading - digitsKept;
  return `${negative ? '-' : ''}${mantissa}e${exponent}`;
}
