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

/** How long a history is kept. */
export interface MetricsHistoryOptions {
  /** Days for which minutes, hours and days are kept. Default 7, 90 and 90. */
  readonly retention?: MetricsRetention;
  /** Days for which hours and days are kept, and minutes for at most 7 of them. Default 90. */
  readonly retentionDays?: number;
}

/** The longest retention in days. */
const mostDays = 3_650;

const days = option.number(0, mostDays);

export const retentionRows = {
  retention: option.objectOf({
    minutes: days,
    hours: days,
    days,
  } satisfies OptionTableOf<MetricsRetention>),
  retentionDays: days,
} satisfies OptionTableOf<MetricsHistoryOptions>;

/** The retention with its defaults; `retentionDays` stands for hours and days, and for at most 7 days of minutes. */
export function resolveRetention({
  retention = {},
  retentionDays = 90,
}: MetricsHistoryOptions = {}): Required<MetricsRetention> {
  const whole = (value: number): number => Math.max(1, Math.floor(value));
  return {
    minutes: whole(retention.minutes ?? Math.min(7, retentionDays)),
    hours: whole(retention.hours ?? retentionDays),
    days: whole(retention.days ?? retentionDays),
  };
}
