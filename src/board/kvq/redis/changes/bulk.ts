/** Changes the jobs of one state of a Redis queue in steps, each a script that decides and writes at once. */

import { RunLost } from '../../../core/index.ts';
import {
  DriverRefusal,
  obliterated,
  type BulkStep,
  type CleanableStatus,
} from '../../model/driver.ts';
import { finishedStatuses, keyOfStatus, listStatuses } from '../../model/status.ts';
import type { JobStatus } from '../../model/types.ts';
import { defineScript, type Script } from '../connect/script.ts';
import { changeParts, type ChangeSettings } from './parts.ts';
import { comparedFields } from '../compared-parts.ts';
import { type NotedRun, lostReply, runParts } from './run-parts.ts';

/** Jobs per script. A change takes Redis some 15 microseconds, and nobody else is served before the last of them. */
export const jobsPerScript = 300;

/** Bytes of data and reasons per page of a selection: all of them are compared in one turn of the event loop. */
const peekBytes = 1_000_000;

/**
 * Examines `size` jobs from the oldest, or the first due, after the job `last` that the previous step has left in
 * place. Jobs before it have been examined or have left the state: workers take the jobs of a list from the same end.
 * Jobs newer than `until` stay.
 */
export const bulkScript = defineScript(`
${changeParts}
${runParts}
local key, most, acts = base .. conf.state, tonumber(conf.size), {}

function acts.retry(id) return retry(id, conf.state) end

function acts.promote(id)
  if tonumber(call('HGET', base .. id, 'timestamp') or 0) > conf['until'] then return 'young' end
  return promote(id)
end

function acts.clean(id)
  local job = base .. id
  -- A mark of early releases in the waiting list.
  if conf.list and string.sub(id, 1, 2) == '0:' then return 'mark' end
  if not conf.finished then
    local times = call('HMGET', job, 'finishedOn', 'processedOn', 'timestamp')
    if (tonumber(times[1] or times[2] or times[3] or 0) or 0) > conf['until'] then return 'young' end
    if call('EXISTS', job .. ':lock') == 1 then return 'active' end
    if conf.state == 'active' and not isleft(id) then return 'active' end
    if isnext(base, id) then return 'next' end
  end
  if isguarded(job) then return 'parent' end
  unlink(job, true)
  drop(base, id)
  return 'done'
end

-- Removes the job in whatever condition it is.
function acts.wipe(id)
  if isguarded(base .. id) then return 'parent' end
  unlink(base .. id, true)
  call('DEL', base .. id .. ':lock')
  drop(base, id)
  return 'done'
end

if islost() then return {'${lostReply}'} end
if conf.act == 'wipe' then
  if not ispaused() then return {-1} end
  if not conf.force and call('EXISTS', base .. 'active') == 1 then return {-2} end
end

local function positionof(id)
  local ok, at = pcall(call, 'LPOS', key, id, 'RANK', -1)
  if ok then return at end
  local ids = call('LRANGE', key, 0, -1)
  for i = #ids, 1, -1 do if ids[i] == id then return i - 1 end end
  return false
end

local function oflist()
  local from = 0
  if conf.last and call('LINDEX', key, -conf.kept) == conf.last then
    from = conf.kept
  elseif conf.last then
    local at = positionof(conf.last)
    if at then from = call('LLEN', key) - at end
  end
  local ids, page = {}, call('LRANGE', key, -from - most, -from - 1)
  for i = #page, 1, -1 do ids[#ids + 1] = page[i] end
  return ids, {}, from
end

local function ofset()
  local from = 0
  if conf.last and call('ZSCORE', key, conf.last) == conf.score then
    from = call('ZRANK', key, conf.last) + 1
  elseif conf.last then
    from = call('ZCOUNT', key, '-inf', '(' .. conf.score)
  end
  local ids, scores, page = {}, {}, call('ZRANGE', key, from, from + most - 1, 'WITHSCORES')
  for i = 1, #page, 2 do ids[#ids + 1], scores[#scores + 1] = page[i], page[i + 1] end
  return ids, scores, from
end

if conf.act ~= 'peek' and (own or conf.act ~= 'retry' and conf.act ~= 'promote') then force() end
local read = conf.list and oflist or ofset
local ids, scores, kept = read()

-- The jobs that the next step may select from, with what a filter compares.
if conf.act == 'peek' then
  local rows, bytes, left = {}, 0, #ids == most
  for i = 1, #ids do
    local job, size = base .. ids[i], 0
    if conf.finished and tonumber(scores[i]) > conf['until'] then
      left = false
      break
    end
    if conf.withdata then size = call('HSTRLEN', job, 'data') end
    if conf.withreason then size = size + call('HSTRLEN', job, 'failedReason') end
    bytes = bytes + size
    if bytes > ${peekBytes} and i > 1 then
      left = true
      break
    end
    local values = call('HMGET', job, 'name', 'timestamp')
    local reason = conf.withreason and call('HGET', job, 'failedReason')
    local data = conf.withdata and call('HGET', job, 'data')
    local met = ismarked(ids[i]) and 1 or 0
    local more = conf.withmore and call('HMGET', job, ${comparedFields}) or {}
    rows[i] = {ids[i], scores[i] or '', values[1] or '', values[2] or '', reason or '', data or '', met, more}
  end
  return {left and 1 or 0, kept, rows}
end
local from, more, last, score = kept, #ids == most, conf.last, conf.score
local changed, skipped, spared, marked, grouped = 0, 0, 0, 0, {}
local outcomes, examined = {}, 0
for i = 1, #ids do
  if conf.finished and tonumber(scores[i]) > conf['until'] then
    more = false
    break
  end
  local wanted = not conf.only or conf.only[ids[i]]
  -- Jobs that came into the page after it was examined belong to the next step.
  if wanted == nil then
    more = true
    break
  end
  -- A job that came back is not met again.
  local met = ismarked(ids[i])
  local held = not met and wanted and (conf.act == 'retry' or conf.act == 'promote') and heldby(ids[i], conf.state)
  local result = not met and wanted and acts[conf.act](ids[i]) or 'other'
  if result == 'done' then keep(held) end
  if not met then examined = examined + 1 end
  if own and conf.act ~= 'clean' and conf.act ~= 'wipe' and (result == 'done' or result == 'group') then mark(ids[i]) end
  if wanted and not met then outcomes[result] = (outcomes[result] or 0) + 1 end
  if result == 'done' then
    changed = changed + 1
    if conf.list then
      call('LSET', key, -from - i, '')
      marked = marked + 1
    else
      call('ZREM', key, ids[i])
    end
  else
    last, score, kept = ids[i], scores[i] or '', kept + 1
    if result == 'parent' then spared = spared + 1 end
    if result == 'group' then grouped[#grouped + 1] = ids[i] end
    if result == 'lost' or result == 'active' then skipped = skipped + 1 end
  end
end
-- From the nearer end of the list: the jobs left in place may be a million.
if marked > 0 then call('LREM', key, from > call('LLEN', key) / 2 and marked or -marked, '') end
if conf.act == 'clean' and changed > 0 and not conf.legacy then
  pcall(call, 'XADD', base .. 'events', '*', 'event', 'cleaned', 'count', changed)
end
-- Wiped jobs are not met again; their run counts the steps.
if own and conf.act ~= 'wipe' then
  local counts = {examined = examined, matched = 0, changed = outcomes.done or 0}
  for result, count in pairs(outcomes) do
    counts.matched = counts.matched + count
    local reason = conf.run.reasons[result]
    if reason then counts['r:' .. reason] = (counts['r:' .. reason] or 0) + count end
  end
  note(counts)
  if last then call('HSET', own, 'position', cjson.encode({kept = kept, last = last, score = score or ''})) end
end
local answer = {more and 1 or 0, math.max(changed, removed), skipped, spared, kept, last or '', score or '', grouped}
if conf.only then
  answer[9], answer[10] = examined, {}
  for result, count in pairs(outcomes) do
    table.insert(answer[10], result)
    table.insert(answer[10], count)
  end
end
return answer
`);

/** The queue whose jobs are changed. */
export interface ChangedQueue {
  readonly settings: Omit<ChangeSettings, 'now' | 'reach'>;
  run(script: Script, args: readonly (string | number)[]): Promise<unknown>;
  /** Has the library retry or promote a job of a group. Default: there are no groups. */
  moveInGroup?(id: string, act: 'retry' | 'promote', state: JobStatus): Promise<void>;
}

/** Steps over the jobs of a status that are not newer than `until`. */
function stepOver(
  { settings, run, moveInGroup }: ChangedQueue,
  act: 'retry' | 'promote' | 'clean' | 'wipe',
  status: JobStatus,
  until: number,
  more: {
    readonly reach?: readonly string[];
    readonly force?: boolean;
    readonly run?: NotedRun | undefined;
  } = {},
): BulkStep {
  let position: { kept?: number; last?: string; score?: string } = {};
  return async () => {
    const conf = {
      ...settings,
      ...position,
      now: Date.now(),
      act,
      state: keyOfStatus(status),
      list: listStatuses.has(status),
      finished: finishedStatuses.has(status),
      until,
      size: jobsPerScript,
      ...more,
      ...(more.reach && { reach: more.reach.map((name) => `${name}:`) }),
    };
    const reply = await run(bulkScript, [JSON.stringify(conf)]);
    const [left, changed, skipped, spared, kept, last, score, grouped]: unknown[] = Array.isArray(
      reply,
    )
      ? reply
      : [];
    if (left === lostReply) throw new RunLost();
    if (left === -1) throw new DriverRefusal('state');
    if (left === -2) throw new DriverRefusal('active');
    if (last !== '') position = { kept: Number(kept), last: String(last), score: String(score) };
    const ids = Array.isArray(grouped) ? grouped.map(String) : [];
    let moved = 0;
    for (const id of act === 'retry' || act === 'promote' ? ids : []) {
      // The state of a job may have changed since the script.
      await moveInGroup?.(id, act as 'retry' | 'promote', status).then(
        () => (moved += 1),
        (error: unknown) => {
          if (!(error instanceof DriverRefusal)) throw error;
        },
      );
    }
    return {
      more: left === 1,
      changed: Number(changed) + moved,
      skipped: Number(skipped) + ids.length - moved,
      spared: Number(spared),
    };
  };
}

/** Retries the jobs that finished with that status up to `before`. Skips those whose data is gone. */
export const retryOnRedis = (
  queue: ChangedQueue,
  status: 'failed' | 'completed',
  before: number,
): BulkStep => stepOver(queue, 'retry', status, before);

/** Promotes the delayed jobs added up to `until`. Skips those whose data is gone. */
export const promoteOnRedis = (queue: ChangedQueue, until: number): BulkStep =>
  stepOver(queue, 'promote', 'delayed', until);

/** Removes the jobs of a status not newer than `until`; see `QueueDriver`. */
export const cleanOnRedis = (
  queue: ChangedQueue,
  status: CleanableStatus,
  until: number,
  reach: readonly string[],
): BulkStep => stepOver(queue, 'clean', status, until, { reach });

/** Removes the keys of a paused queue that has no jobs, at most a thousand schedulers at a time; 3 where it has some. */
const endScript = defineScript(`
${changeParts}
${runParts}
if islost() then return '${lostReply}' end
if not ispaused() then return 2 end
for _, key in ipairs(conf.states) do
  if call('EXISTS', base .. key) == 1 then return 3 end
end
local schedulers = call('ZRANGE', base .. 'repeat', 0, 999)
for _, key in ipairs(schedulers) do
  call('DEL', base .. 'repeat:' .. key)
  call('ZREM', base .. 'repeat', key)
end
if #schedulers == 1000 then return 1 end
for _, name in ipairs({
  'events', 'delay', 'stalled-check', 'stalled', 'id', 'pc', 'marker', 'priority', 'limiter', 'limiter:index', 'repeat',
  'metrics:completed', 'metrics:completed:data', 'metrics:failed', 'metrics:failed:data', 'meta', 'meta-paused',
  'sluice-pause',
}) do
  call('DEL', base .. name)
end
if own then call('HSET', own, 'position', '${obliterated}') end
return 0
`);

/**
 * Removes a paused queue with all its jobs, in steps. Throws a {@link DriverRefusal} if it is not paused, if a job is active
 * (unless `force`), and if a parent beyond the reach awaits one of its jobs; the others are then removed.
 */
export function obliterateOnRedis(
  queue: ChangedQueue,
  statuses: readonly JobStatus[],
  force: boolean,
  reach: readonly string[],
  run?: NotedRun,
): BulkStep {
  // Children go before the parents of the queue.
  const isOfParents = (status: JobStatus): number => Number(status === 'waiting-children');
  const parentsLast = statuses.toSorted((one, other) => isOfParents(one) - isOfParents(other));
  const steps = (): BulkStep[] =>
    parentsLast.map((status) =>
      stepOver(queue, 'wipe', status, Number.MAX_SAFE_INTEGER, { reach, force, run }),
    );
  const states = statuses.map(keyOfStatus);
  let left = steps();
  let isSpared = false;
  return async () => {
    const [step] = left;
    if (step) {
      const outcome = await step();
      isSpared ||= outcome.spared > 0;
      if (!outcome.more) left.shift();
      return { ...outcome, more: true };
    }
    if (isSpared) throw new DriverRefusal('parent');
    const conf = JSON.stringify({ ...queue.settings, now: Date.now(), states, run });
    const ended = await queue.run(endScript, [conf]);
    if (ended === lostReply) throw new RunLost();
    if (ended === 2) throw new DriverRefusal('state');
    // Jobs may come into a state that is done: without the counter of ids, a later job would have the id of one of them.
    if (ended === 3) left = steps();
    return { more: ended === 1 || ended === 3, changed: 0, skipped: 0, spared: 0 };
  };
}
