/** Reads the log of a job and the metrics of a queue, which the libraries keep in the same keys. */

import { maxLogLines } from '../model/read-limits.ts';
import type { LogWindow, ReadLimits } from '../model/read-limits.ts';
import type { QueueMetrics } from '../model/types.ts';
import { hashFields } from './job-hash.ts';
import { defineScript } from './connect/script.ts';

/** `ARGV`: the id, maximum number of lines, maximum bytes. Returns the number of stored lines, and the last ones. */
export const logsScript = defineScript(`
local key, most, left = KEYS[1] .. ARGV[1] .. ':logs', tonumber(ARGV[2]), tonumber(ARGV[3])
local total, lines, size = redis.call('LLEN', key), {}, 8
while #lines < most and #lines < total do
  local count = math.min(size, most - #lines, total - #lines)
  local page, bytes = redis.call('LRANGE', key, -#lines - count, -#lines - 1), 0
  for i = #page, 1, -1 do
    bytes = bytes + #page[i]
    if bytes > left then return {total, lines} end
    lines[#lines + 1] = page[i]
  end
  left = left - bytes
  -- As many lines of this length as may follow.
  size = math.max(1, math.min(1000, math.floor(left / (bytes / #page + 1))))
end
return {total, lines}
`);

/** `ARGV`: the id, lines before the page, number of lines, maximum bytes. Returns as {@link logsScript}, oldest first. */
export const logPageScript = defineScript(`
local key, start, most, left = KEYS[1] .. ARGV[1] .. ':logs', tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local total, lines = redis.call('LLEN', key), {}
while #lines < most do
  local from = start + #lines
  local page = redis.call('LRANGE', key, from, from + math.min(50, most - #lines) - 1)
  if #page == 0 then break end
  for i = 1, #page do
    left = left - #page[i]
    if left < 0 then return {total, lines} end
    lines[#lines + 1] = page[i]
  end
end
return {total, lines}
`);

/** Arguments of {@link logsScript}. */
export const logsArguments = (id: string, { maxBytes }: ReadLimits): (string | number)[] => [
  id,
  maxLogLines,
  maxBytes,
];

/** Parses the window that {@link logsScript} returned. */
export function parseLogs(value: unknown): LogWindow {
  const [total, lines]: unknown[] = Array.isArray(value) ? value : [];
  return {
    total: Number(total) || 0,
    lines: Array.isArray(lines) ? lines.map(String).toReversed() : [],
  };
}

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
