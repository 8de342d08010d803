/**
 * Finds the events of one job in the stream of its queue, which BullMQ trims to about 10,000. The stream is read in short
 * scripts from the latest event backwards, because Redis runs nothing else during one.
 */

import { JobEvent, mostEvents, mostMoments } from '../../contract/index.ts';
import { type EventsOfJob, type JobPlace, eventsOf } from '../model/course.ts';
import { defineScript } from './connect/script.ts';
import { listOf, type RunScript } from './job-pages.ts';

/** Events per script. */
const chunk = 1_000;

/**
 * `ARGV`: the id of the job, the id of an event to begin at, the first moment, the number of events, whether the first is
 * known, and the names of events. Returns the number of events, the id of the last one, those of the job, and the id of the
 * first event that is kept.
 */
const eventsScript = defineScript(`
local wanted = {}
for i = 6, #ARGV do wanted[ARGV[i]] = true end
local ok, page = pcall(redis.call, 'XREVRANGE', KEYS[1] .. 'events', ARGV[2], ARGV[3], 'COUNT', ARGV[4])
if not ok then return {0, '', {}, ''} end
local kept = redis.call('XRANGE', KEYS[1] .. 'events', '-', '+', 'COUNT', 1)
local found = {}
for i = 1 + tonumber(ARGV[5]), #page do
  local fields, event = page[i][2], {}
  for j = 1, #fields, 2 do event[fields[j]] = fields[j + 1] end
  if event.jobId == ARGV[1] and wanted[event.event] then
    found[#found + 1] = {page[i][1], event.event, event.delay or '', event.deduplicatedJobId or ''}
  end
end
return {#page, #page > 0 and page[#page][1] or '', found, #kept > 0 and kept[1][1] or ''}
`);

/** The time in the id of an event. */
const timeOf = (id: unknown): number => Number(String(id).split('-')[0]);

/** The events of a job from one moment to another, the latest first. */
export async function readCourse(
  run: RunScript,
  id: string,
  from: number,
  to: number | null,
): Promise<EventsOfJob> {
  const found = [];
  let at: unknown = to === null ? '+' : Math.ceil(to);
  let since: number | null = null;
  for (let read = 0; read < mostEvents && found.length <= mostMoments; read += chunk) {
    const known = read === 0 ? 0 : 1;
    const args = [id, String(at), Math.floor(from), chunk + known, known, ...JobEvent.options];
    const [size, last, rows, first] = listOf(await run(eventsScript, args));
    for (const row of listOf(rows)) {
      const [place, event, until, jobId] = listOf(row);
      found.push({ at: timeOf(place), event, until, jobId });
    }
    const isEnd = Number(size) < chunk + known;
    if (first !== '') since = isEnd ? Math.max(from, timeOf(first)) : timeOf(last);
    if (isEnd) break;
    at = last;
  }
  return eventsOf(found, since);
}

/**
 * `ARGV`: the id of a job, its state, and its deduplication id. Returns the jobs that run before it or -1, the children
 * that it waits for, and the job that holds its deduplication id with the time left.
 */
export const placeScript = defineScript(`
local call, base, id, state = redis.call, KEYS[1], ARGV[1], ARGV[2]
local function length(key)
  local count = call('LLEN', key)
  if count > 0 and string.sub(call('LINDEX', key, -1), 1, 2) == '0:' then return count - 1 end
  return count
end
local ahead, children, holder, ttl = -1, 0, false, -2
if state == 'prioritized' then
  local rank = call('ZRANK', base .. 'prioritized', id)
  if rank then ahead = rank + length(base .. 'wait') + length(base .. 'paused') end
elseif state == 'waiting' or state == 'paused' then
  for _, name in ipairs({'wait', 'paused'}) do
    local ok, place = pcall(call, 'LPOS', base .. name, id)
    if ok and place then ahead = length(base .. name) - 1 - place end
  end
elseif state == 'waiting-children' then
  children = call('SCARD', base .. id .. ':dependencies')
end
if ARGV[3] ~= '' then
  holder, ttl = call('GET', base .. 'de:' .. ARGV[3]), call('PTTL', base .. 'de:' .. ARGV[3])
end
return {ahead, children, holder, ttl}
`);

export function parsePlace(reply: unknown): JobPlace {
  const [ahead, children, holder, ttl] = listOf(reply);
  const left = Number(ttl);
  return {
    ahead: Number(ahead) < 0 ? null : Number(ahead),
    children: Number(children),
    holder:
      typeof holder === 'string'
        ? { jobId: holder, until: left > 0 ? Date.now() + left : null }
        : null,
  };
}
