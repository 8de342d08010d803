/** Numbers as people read them, by `Intl` alone. */

import { locale } from '../i18n/index.ts';

const exactLimit = 9_999;

const cache = new Map<string, Intl.NumberFormat>();

/** The formatter of some options, which are always the same under a name; to make one takes longer than to use it. */
function formatter(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale()} ${name}`;
  let made = cache.get(key);
  if (!made) {
    made = new Intl.NumberFormat(locale(), options);
    cache.set(key, made);
  }
  return made;
}

/** Exact up to 9,999, then as 12.3k. */
export function short(value: number): string {
  if (Math.abs(value) <= exactLimit) return exact(value);
  return formatter('short', { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** With at most as many digits behind the point. */
export const exact = (value: number, maximumFractionDigits = 2): string =>
  formatter(`exact ${maximumFractionDigits}`, { maximumFractionDigits }).format(value);

/** "0.4 %", one digit below ten. */
export function percent(share: number): string {
  const maximumFractionDigits = share < 0.1 ? 1 : 0;
  return formatter(`percent ${maximumFractionDigits}`, {
    style: 'percent',
    maximumFractionDigits,
  }).format(share);
}

/** A number of a unit, as "3m". */
export const narrow = (count: number, unit: string): string =>
  formatter(`narrow ${unit}`, { style: 'unit', unit, unitDisplay: 'narrow' }).format(count);

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3));
  return formatter(`bytes ${power}`, {
    style: 'unit',
    unit: byteUnits[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 2 ? 1 : 0,
  }).format(value / 1_000 ** power);
}
