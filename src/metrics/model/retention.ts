/** How long each tier of the history is kept. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';

/** Days for which each tier is kept; fractions are dropped, and each is at least 1. */
export interface MetricsRetention {
  /** Counts per minute, which also bound how far back a recorder catches up. Default 7. */
  readonly minutes?: number;
  /** Hours. Default 90. */
  readonly hours?: number;
  /** Days. Default 90. */
  readonly days?: number;
}

/** The longest retention in days. */
const mostDays = 3_650;

const days = option.number(0, mostDays);

export const retentionTable = {
  minutes: days,
  hours: days,
  days,
} satisfies OptionTableOf<MetricsRetention>;

export const retentionDaysRow = days;

/** The retention with its defaults; `retentionDays` stands for hours and days, and for at most 7 days of minutes. */
export function resolveRetention(
  retention: MetricsRetention = {},
  retentionDays = 90,
): Required<MetricsRetention> {
  const whole = (value: number): number => Math.max(1, Math.floor(value));
  return {
    minutes: whole(retention.minutes ?? Math.min(7, retentionDays)),
    hours: whole(retention.hours ?? retentionDays),
    days: whole(retention.days ?? retentionDays),
  };
}
