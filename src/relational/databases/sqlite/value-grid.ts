/** Rounds decimals with more than the 15 digits that a double keeps, for a family that stores decimals as doubles. */

import type { Rounding } from '../../../rules/index.ts';

const digitsKept = 15;

/**
 * A number that compares with every stored decimal of at most 15 digits as the exact value does. A value of more digits
 * lies between two of them and is rounded to one; where no stored value may equal it, the largest double represents it,
 * which no column contains and which JSON can carry.
 */
export function onGrid(text: string, rounding: Rounding): number {
  const digits = text.replace('-', '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  if (digits.length <= digitsKept) return Number(text);
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
