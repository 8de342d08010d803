/** The type to which a decimal operand is cast, and values that this type cannot hold exactly. */

import type { Rounding } from '../../../rules/index.ts';
import type { PhysicalColumn } from '../../compile/physical.ts';

const maxDigits = 65;
const maxScale = 30;

/** The digits of a decimal column. */
interface Digits {
  readonly whole: number;
  readonly scale: number;
}

/** The digits of the column; `undefined` where the type does not state them. */
function digitsOf({ sqlType }: PhysicalColumn): Digits | undefined {
  const match = /\((\d+)(?:,\s*(\d+))?\)/.exec(sqlType);
  if (!match) return undefined;
  const scale = Number(match[2] ?? 0);
  return { whole: Number(match[1]) - scale, scale };
}

/**
 * The largest scale that leaves room for all whole digits of the column, and for one more where its own scale permits:
 * the values that no column holds begin there.
 */
export function operandScale(column: PhysicalColumn): number {
  const digits = digitsOf(column);
  if (!digits) return maxScale;
  const spare = maxDigits - digits.whole - 1;
  return Math.min(maxScale, Math.max(spare, digits.scale));
}

/**
 * The value as decimal text that the cast keeps exactly, and that compares with every stored value as the value itself
 * does. A cast would round it, and so make it equal to a stored value.
 */
export function fitDecimal(column: PhysicalColumn, text: string, rounding: Rounding): string {
  const digits = digitsOf(column);
  if (!digits) return text;
  const sign = text.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = text.slice(sign.length).split('.');
  // Larger than anything stored.
  const beyond = `${sign}1${'0'.repeat(digits.whole)}`;
  if (whole.length > digits.whole && whole !== '0') return beyond;
  const scale = operandScale(column);
  if (fraction.length <= scale) return text;
  // Nothing stored equals it.
  if (rounding === 'never') return beyond;
  const kept = BigInt(whole + fraction.slice(0, scale));
  const rounded = (rounding === 'up') === (sign === '') ? kept + 1n : kept;
  const padded = String(rounded).padStart(scale + 1, '0');
  const point = padded.length - scale;
  return `${sign}${padded.slice(0, point)}.${padded.slice(point)}`;
}
