/**
 * Reads the log of a job in short scripts, because Redis runs nothing else during one. The library may remove the oldest
 * lines meanwhile, which moves the others: each script checks that the line before its first is the one that was read
 * last, and otherwise one script reads all of them again.
 */

import { maxLogLines, type LogWindow, type ReadLimits } from '../model/read-limits.ts';
import { defineScript } from './connect/script.ts';
import { listOf, type RunScript } from './job-pages.ts';

/** Lines and bytes of one script; a longer line is read whole. */
const [mostLines, mostBytes] = [1_000, 128_000];

/**
 * `ARGV`: the id, 1 forwards or -1 backwards, the position at which to begin (backwards: behind which; empty for the end
 * of the log), maximum lines, bytes left, bytes of this script, and the SHA-1 of the line read last, or nothing. Returns the
 * number of stored lines, the lines in the order of reading, the position at which to go on, the bytes left, the SHA-1 of
 * the last line, and whether there is more; or the number alone when the lines have moved.
 */
const linesScript = defineScript(`
local call, key, step = redis.call, KEYS[1] .. ARGV[1] .. ':logs', tonumber(ARGV[2])
local most, left, share = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local total, lines, size, taken, full = call('LLEN', key), {}, 8, 0, false
local at = tonumber(ARGV[3]) or total
if ARGV[7] ~= '' then
  local last = call('LINDEX', key, step > 0 and at - 1 or at)
  if not last or redis.sha1hex(last) ~= ARGV[7] then return {total} end
end
while #lines < most and taken < share and not full do
  local count = math.min(size, most - #lines)
  if step < 0 then count = math.min(count, at) end
  if count <= 0 then break end
  local from = step > 0 and at or at - count
  local page, bytes = call('LRANGE', key, from, from + count - 1), 0
  if #page == 0 then break end
  for i = 1, #page do
    local line = page[step > 0 and i or #page + 1 - i]
    if #line > left then full = true break end
    left, bytes = left - #line, bytes + #line
    lines[#lines + 1] = line
    at = at + step
  end
  taken = taken + bytes
  -- As many lines of this length as may follow.
  size = math.max(1, math.min(1000, math.floor(math.min(left, share - taken) / (bytes / #page + 1))))
end
local more = not full and #lines > 0 and (step > 0 and at < total or step < 0 and at > 0)
return {total, lines, at, left, #lines > 0 and redis.sha1hex(lines[#lines]) or '', more and 1 or 0}
`);

/** A range of lines to read. */
interface Range {
  readonly step: 1 | -1;
  readonly from: number | '';
  readonly most: number;
  readonly maxBytes: number;
}

/** The lines in the order of reading; undefined when they have moved. `share` is the number of lines of one script. */
async function linesOf(
  run: RunScript,
  id: string,
  { step, from, most, maxBytes }: Range,
  share: number,
  bytes: number,
): Promise<LogWindow | undefined> {
  const lines: string[] = [];
  let [stored, at, left, last, more]: unknown[] = [undefined, from, maxBytes, '', 1];
  while (more === 1 && lines.length < most) {
    const count = Math.min(share, most - lines.length);
    const place = [id, step, at as number, count, left as number, bytes, String(last)];
    const reply = listOf(await run(linesScript, place));
    const [total, read, ...rest] = reply;
    if (read === undefined) return undefined;
    stored ??= total;
    for (const line of listOf(read)) lines.push(String(line));
    [at, left, last, more] = rest;
  }
  return { lines, total: Number(stored) || 0 };
}

async function read(run: RunScript, id: string, range: Range): Promise<LogWindow> {
  const { most, maxBytes } = range;
  return (
    (await linesOf(run, id, range, mostLines, mostBytes)) ??
    (await linesOf(run, id, range, most, maxBytes)) ?? { lines: [], total: 0 }
  );
}

/** The last lines of the log, as many as the limits allow. */
export async function readLogs(
  run: RunScript,
  id: string,
  { maxBytes }: ReadLimits,
): Promise<LogWindow> {
  const range: Range = { step: -1, from: '', most: maxLogLines, maxBytes };
  const { lines, total } = await read(run, id, range);
  return { lines: lines.toReversed(), total };
}

/** At most `limit` lines from the line `start`, as many as the limits allow. */
export function readLogPage(
  run: RunScript,
  id: string,
  start: number,
  limit: number,
  maxBytes: number,
): Promise<LogWindow> {
  return read(run, id, { step: 1, from: start, most: limit, maxBytes });
}
