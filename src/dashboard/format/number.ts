/** Numbers as people read them, by `Intl` alone. */

import { locale } from '../i18n/index.ts';

const exactLimit = 9_999;

/** Exact up to 9,999, then as 12.3k. */
export function short(value: number): string {
  if (Math.abs(value) <= exactLimit) return exact(value);
  return new Intl.NumberFormat(locale(), {
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(value);
}

export function exact(value: number): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 }).format(value);
}

/** "0.4 %", one digit below ten. */
export function percent(share: number): string {
  return new Intl.NumberFormat(locale(), {
    style: 'percent',
    maximumFractionDigits: share < 0.1 ? 1 : 0,
  }).format(share);
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3));
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: byteUnits[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 2 ? 1 : 0,
  }).format(value / 1_000 ** power);
}
