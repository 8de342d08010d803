/** Reads the metrics of a queue, which the libraries keep in the same keys. */

import type { QueueMetrics } from '../model/types.ts';
import { hashFields } from './job-hash.ts';
import { defineScript } from './connect/script.ts';

/** `ARGV`: `completed` or `failed`. Returns the fields, and the counts of at most two weeks. */
export const metricsScript = defineScript(`
local key = KEYS[1] .. 'metrics:' .. ARGV[1]
return {
  redis.call('HGETALL', key), redis.call('LRANGE', key .. ':data', 0, 20159), redis.call('LLEN', key .. ':data'),
}
`);

/** Parses the metrics that {@link metricsScript} returned. */
export function parseMetrics(value: unknown): QueueMetrics {
  const [pairs, data, count]: unknown[] = Array.isArray(value) ? value : [];
  const fields = hashFields(pairs);
  const number = (text: unknown): number => Number(text) || 0;
  return {
    meta: {
      count: number(fields.get('count')),
      prevTS: number(fields.get('prevTS')),
      prevCount: number(fields.get('prevCount')),
    },
    data: Array.isArray(data) ? data.map(number) : [],
    count: number(count),
  };
}
