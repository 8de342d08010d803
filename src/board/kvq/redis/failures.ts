/**
 * Counts the failed jobs of a Redis queue in short scripts, which return jobs that are alike but for digits as one: no name
 * of an error tells digits apart. Where a reason may name the queue of a child, which may be hidden, they count. The set has them in the
 * order in which they failed, and those of one time in the order of their ids.
 */

import { cutText } from '../../../lib/index.ts';
import { mostReleaseBytes, reasonBytes, releaseLength } from '../../core/index.ts';
import type { FailureQuery, StoredFailure, StoredFailures } from '../model/failures.ts';
import { InvalidPosition } from '../model/search-criteria.ts';
import { defineScript } from './connect/script.ts';
import { isBelow } from './id-order.ts';
import { listOf, type RunScript } from './job-pages.ts';

/** Jobs per script, and bytes after which it ends: Redis runs nothing else meanwhile. Data that is not returned is cheap. */
const [chunk, mostBytes] = [140, 200_000];

/** Values of a failure in the reply. */
const width = 9;

/**
 * `ARGV`: the last and the first moment to count, jobs, the start and the length of buckets, what is read of the data, and
 * the time and id of the job after which to begin, if any. Returns whether there are no more jobs, how many were read, the
 * time and id of the last one, and the failures.
 */
const failuresScript = defineScript(`
local call, base, key = redis.call, KEYS[1], KEYS[1] .. 'failed'
local at, since, size = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local from, length, reads = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local score, last = ARGV[7], ARGV[8]

${isBelow}
local function releaseof(data)
  if #data > ${mostReleaseBytes} then return '' end
  local first, stop = string.find(data, '"release"', 1, true)
  if not first then return '' end
  -- A member of the outer object, before others that nest: no need to read the rest.
  local text = string.match(data, '^%s*:%s*"([^"\\\\]*)"', stop + 1)
  if text and not string.find(string.sub(data, 1, first), '{', 2, true) then return text end
  local ok, value = pcall(cjson.decode, data)
  local release = ok and type(value) == 'table' and value.release
  if type(release) == 'number' then return string.format('%.14g', release) end
  return type(release) == 'string' and release or ''
end

local rank
if score == '' then
  rank = call('ZCOUNT', key, '(' .. at, '+inf')
else
  rank = call('ZCOUNT', key, '(' .. score, '+inf')
  local high = rank + call('ZCOUNT', key, score, score)
  while rank < high do
    local middle = math.floor((rank + high) / 2)
    if isbelow(call('ZREVRANGE', key, middle, middle)[1], last) then high = middle else rank = middle + 1 end
  end
end

local page = call('ZREVRANGE', key, rank, rank + size - 1, 'WITHSCORES')
local isend, examined, bytes, found, known = #page < size * 2, 0, 0, {}, {}
for i = 1, #page, 2 do
  local id, ended = page[i], tonumber(page[i + 1])
  if ended < since then isend = true; break end
  if bytes > ${mostBytes} then isend = false; break end
  examined, score, last = examined + 1, page[i + 1], id
  local ok, job = pcall(call, 'HMGET', base .. id, 'timestamp', 'failedReason', 'name', reads ~= 'reasons' and 'data' or 'name')
  if ok and job[1] then
    local reason, name, data = string.sub(job[2] or '', 1, ${reasonBytes}), job[3] or '', job[4] or ''
    local release = reads ~= 'reasons' and releaseof(data) or ''
    bytes = bytes + #data / 8
    local bucket = math.max(-1, math.floor((ended - from) / length))
    local masked = string.find(reason, 'child ', 1, true) and reason or string.gsub(reason, '%d', '0')
    local alike = masked .. '\\0' .. name .. '\\0' .. release .. '\\0' .. bucket
    local failure = reads ~= 'jobs' and known[alike]
    if failure then
      failure[5], failure[6] = failure[5] + 1, ended
    else
      failure = {reason, name, release, bucket, 1, ended, ended, id, reads == 'jobs' and data or ''}
      bytes = bytes + #reason + #failure[9]
      known[alike], found[#found + 1] = failure, failure
    end
  end
end
local reply = {isend and 1 or 0, examined, score, last}
for i = 1, #found do for j = 1, ${width} do reply[#reply + 1] = found[i][j] end end
return reply
`);

/** The time and the id in a position. */
function placeIn(after: string | null): readonly [score: string, id: string] {
  if (after === null) return ['', ''];
  const [, score, id] = /^(\d{1,17}(?:\.\d{1,9})?) ([\s\S]{1,2000})$/.exec(after) ?? [];
  if (score === undefined || id === undefined) {
    throw new InvalidPosition('The position is not one of failed jobs.');
  }
  return [score, id];
}

/** Counts the next failed jobs. */
export async function readFailures(
  run: RunScript,
  { since, at, from, bucketMs, reads, after }: FailureQuery,
): Promise<StoredFailures> {
  const args = [at, since, chunk, from, bucketMs, reads, ...placeIn(after)];
  const [isEnd, examined, score, last, ...values] = listOf(await run(failuresScript, args));
  const failures: StoredFailure[] = [];
  for (let place = 0; place + width <= values.length; place += width) {
    const [reason, name, release, bucket, count, firstAt, lastAt, id, data] = values.slice(
      place,
      place + width,
    );
    failures.push({
      reason: String(reason),
      name: String(name),
      release: cutText(String(release), releaseLength) || null,
      bucket: Number(bucket),
      count: Number(count),
      firstAt: Number(firstAt),
      lastAt: Number(lastAt),
      id: String(id),
      ...(reads === 'jobs' && { data: String(data) }),
    });
  }
  return {
    failures,
    examined: Number(examined),
    next: isEnd === 1 || Number(examined) === 0 ? null : `${String(score)} ${String(last)}`,
  };
}
