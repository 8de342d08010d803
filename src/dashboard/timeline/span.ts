/** The range of a list, in the address and in words. */

import { dayAndTime } from '../format/time.ts';
import { t } from '../i18n/index.ts';

/** A range of time, both ends included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The range of an address; undefined where it has none. */
export function spanOf({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): Span | undefined {
  const [start, end] = [Number(from), Number(to)];
  const isValid = Boolean(from && to) && start >= 0 && end >= start && end <= 8.64e15;
  return isValid ? { from: start, to: end } : undefined;
}

export const rangeText = ({ from, to }: Span): string =>
  t('time.range', { from: dayAndTime(from), to: dayAndTime(to + 1) });
