/** Query strings and bodies of the metrics-history routes. */

import * as z from 'zod';

import {
  MetricsHistoryGranularity,
  MetricsHistoryMetric,
  MetricsLatencyGranularity,
  MetricsLatencyMetric,
} from './enums.ts';
import { epochParam, failsAs } from './json.ts';

/** The longest range of hours that a response has for every queue. */
const maxGroupedHoursMs = 31 * 24 * 3_600_000;

/** `from` to `to`, both inclusive. Without `metric`: jobs completed and failed. */
export const MetricsHistoryQuery = z
  .object({
    from: epochParam('INVALID_DATE_RANGE'),
    to: epochParam('INVALID_DATE_RANGE'),
    granularity: z
      .enum(MetricsHistoryGranularity.options, failsAs('INVALID_GRANULARITY'))
      .default('day'),
    queue: z.string().optional(),
    metric: z.enum(MetricsHistoryMetric.options, failsAs('INVALID_METRIC')).optional(),
    groupBy: z.literal('queue').optional().meta({
      description:
        'A series for each queue; hours of at most 31 days, and at most 250,000 hours or days of all series.',
    }),
  })
  .refine(({ from, to }) => to >= from, failsAs('INVALID_DATE_RANGE'))
  .refine(
    ({ from, to, granularity, groupBy }) =>
      groupBy === undefined || granularity === 'day' || to - from <= maxGroupedHoursMs,
    failsAs('INVALID_DATE_RANGE'),
  );

/** Percentiles returned when a request gives no valid one. */
const defaultPercentiles = [50, 95, 99];

/** The most percentiles of a response; further ones are left out. */
const maxPercentiles = 20;

function parsePercentiles(text: string): readonly number[] {
  const numbers = text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number)
    .filter((number) => number >= 0 && number <= 100);
  return numbers.length > 0 ? [...new Set(numbers)].slice(0, maxPercentiles) : defaultPercentiles;
}

export const MetricsLatencyQuery = z.object({
  metric: z.enum(MetricsLatencyMetric.options, failsAs('INVALID_METRIC')),
  from: epochParam('INVALID_DATE_RANGE').optional(),
  to: epochParam('INVALID_DATE_RANGE').optional(),
  granularity: MetricsLatencyGranularity.default('day').catch('day'),
  queue: z.string().optional(),
  percentiles: z
    .string()
    .transform(parsePercentiles)
    .default(defaultPercentiles)
    .meta({ description: 'Numbers from 0 to 100, separated by commas.', default: undefined }),
});

/** `before` is a UTC day (`YYYY-MM-DD`): days before it are deleted; all days when it is absent. */
export const PurgeMetricsHistoryBody = z.object({
  queue: z.string(failsAs('INVALID_QUEUE')).optional(),
  before: z
    .string(failsAs('INVALID_BEFORE_DATE'))
    .regex(/^\d{4}-\d{2}-\d{2}$/, failsAs('INVALID_BEFORE_DATE'))
    .optional(),
});
