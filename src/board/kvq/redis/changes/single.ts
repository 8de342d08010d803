/** Changes one job of a Redis queue with one script, if it is still as the client has seen it. */

import { RunLost } from '../../../core/index.ts';
import type { JobCommand, JobConditions, Refusal } from '../../model/driver.ts';
import { DriverRefusal } from '../../model/driver.ts';
import { pausedState, stateFunction, revisionFunction } from '../jobs.ts';
import { defineScript } from '../connect/script.ts';
import type { ChangedQueue } from './bulk.ts';
import { changeParts } from './parts.ts';
import { lostReply, runParts, type NotedRun } from './run-parts.ts';

const singleScript = defineScript(`
${changeParts}
${stateFunction}
${revisionFunction}
${runParts}
local id, acts = conf.id, {}
local key, state = base .. id, stateof(base, id, conf.pausedstate)
-- BullMQ locks a job as it takes it.
local istaken = conf.legacy and state == 'active' and not isleft(id)

function acts.retry() return retry(id, conf.from) end

function acts.promote() return promote(id) end

function acts.data()
  if call('EXISTS', key) == 0 then return 'lost' end
  call('HSET', key, 'data', ARGV[2])
  return 'done'
end

function acts.priority()
  if call('EXISTS', key) == 0 then return 'lost' end
  if isgrouped(key) then return 'group' end
  local waits = call('ZREM', base .. 'prioritized', id) > 0
    or call('LREM', base .. 'wait', -1, id) > 0 or call('LREM', base .. 'paused', -1, id) > 0
  call('HSET', key, 'priority', conf.priority)
  if waits then enqueue(base, id, 'LPUSH') end
  return 'done'
end

function acts.delay()
  if call('EXISTS', key) == 0 then return 'lost' end
  if call('ZREM', base .. 'delayed', id) == 0 then return 'state' end
  -- The lowest 12 bits of a score keep the order of jobs that are due at the same time.
  local due = conf.now + conf.delay
  local least, most = due * 0x1000, due * 0x1000 + 0xfff
  local others = call('ZREVRANGEBYSCORE', base .. 'delayed', most, least, 'WITHSCORES', 'LIMIT', 0, 1)
  local score = others[2] and math.min(tonumber(others[2]) + 1, most) or least
  call('HSET', key, 'delay', conf.delay)
  call('ZADD', base .. 'delayed', score, id)
  local first = call('ZRANGE', base .. 'delayed', 0, 0, 'WITHSCORES')
  call('ZADD', base .. 'marker', tonumber(first[2]) / 0x1000, '1')
  local limit = call('HGET', base .. 'meta', 'opts.maxLenEvents') or 10000
  pcall(call, 'XADD', base .. 'events', 'MAXLEN', '~', limit, '*', 'event', 'delayed', 'jobId', id, 'delay', due)
  return 'done'
end

-- Takes an active job from a worker that is gone: one without a lock.
function acts.release()
  if state ~= 'active' then return 'state' end
  if call('EXISTS', key .. ':lock') == 1 or istaken then return 'active' end
  if call('EXISTS', key) == 0 then return 'lost' end
  if isgrouped(key) then return 'group' end
  call('LREM', base .. 'active', 0, id)
  call('SREM', base .. 'stalled', id)
  enqueue(base, id, 'RPUSH')
  publish(base, 'waiting', id, 'active')
  return 'done'
end

local function takefromstate(prefix, job)
  for _, name in ipairs({'completed', 'failed', 'delayed', 'prioritized', 'waiting-children'}) do
    if call('ZREM', prefix .. name, job) > 0 then return name end
  end
  for _, name in ipairs({'wait', 'paused', 'active'}) do
    if call('LREM', prefix .. name, conf.legacy and 0 or 1, job) > 0 then return name end
  end
end

local function childrenof(parent)
  local found = {}
  for _, list in ipairs({
    call('SMEMBERS', parent .. ':dependencies'), call('HKEYS', parent .. ':processed'),
    call('HKEYS', parent .. ':failed'), call('ZRANGE', parent .. ':unsuccessful', 0, -1),
  }) do
    for _, child in ipairs(list) do found[#found + 1] = child end
  end
  return found
end

-- Removes the job with its children. Without its data, it is removed from the state that lists it.
function acts.remove()
  -- Other keys of the queue are not jobs.
  if state == 'unknown' or state == 'stuck' then
    local ok, isjob = pcall(call, 'HEXISTS', key, 'timestamp')
    if not ok or isjob == 0 then return 'lost' end
  end
  if isnext(base, id) and state ~= 'active' then return 'next' end
  if istaken then return 'active' end
  local parent = waiterfor(key)
  if parent and isbeyond(split(parent)) then return 'parent' end
  local tree, seen = {{base, id}}, {[key] = true}
  for at = 1, math.huge do
    local job = tree[at]
    if not job then break end
    if isbeyond(job[1]) then return 'child' end
    if call('EXISTS', job[1] .. job[2] .. ':lock') == 1 then return 'active' end
    if isgrouped(job[1] .. job[2]) then return 'group' end
    for _, child in ipairs(conf.legacy and {} or childrenof(job[1] .. job[2])) do
      if not seen[child] and call('EXISTS', child) == 1 then
        tree[#tree + 1] = {split(child)}
        seen[child] = true
      end
    end
  end
  force()
  local known = call('EXISTS', key) == 1
  unlink(key, false)
  for at, job in ipairs(tree) do
    local before = takefromstate(job[1], job[2])
    if at == 1 and not before and not known then return 'lost' end
    drop(job[1], job[2])
    publish(job[1], 'removed', job[2], before or 'unknown')
  end
  return 'done'
end

if islost() then return {'${lostReply}'} end
if ismarked(id) then return {'done'} end
if conf.expectedState and conf.expectedState ~= state
  or conf.revision and conf.revision ~= revisionof(key, state) then
  return {'changed', state}
end
local held = (conf.act == 'retry' or conf.act == 'promote') and heldby(id, conf.from or 'delayed')
local result = acts[conf.act]()
if result == 'done' then keep(held) end
-- The library counts a job of a group when it has changed it.
if result == 'done' or result == 'group' then mark(id) end
if result == 'done' then note({examined = 1, matched = 1, changed = 1}) end
return {result, state}
`);

/** The refusal for a result of the script. */
const refusals: ReadonlyMap<unknown, Refusal> = new Map([
  ['lost', 'missing'],
  ['state', 'state'],
  ['active', 'active'],
  ['next', 'scheduled'],
  ['parent', 'parent'],
  ['child', 'child'],
  ['changed', 'changed'],
]);

/**
 * Changes a job, or returns `group`, if only the library can. Throws a {@link DriverRefusal} if it is not as the command
 * requires.
 */
export async function changeOnRedis(
  { settings, run }: ChangedQueue,
  id: string,
  command: JobCommand,
  conditions: JobConditions,
  noted?: NotedRun,
): Promise<'done' | 'group'> {
  const { reach, data, ...given } = { reach: undefined, data: undefined, ...command };
  const conf = {
    ...settings,
    ...conditions,
    ...given,
    ...(reach && { reach: reach.map((name) => `${name}:`) }),
    id,
    run: noted,
    now: Date.now(),
    pausedstate: pausedState(settings.legacy),
  };
  const text = JSON.stringify(data);
  const reply = await run(singleScript, [
    JSON.stringify(conf),
    ...(text === undefined ? [] : [text]),
  ]);
  const [result, state]: unknown[] = Array.isArray(reply) ? reply : [];
  if (result === lostReply) throw new RunLost();
  const refusal = refusals.get(result);
  if (refusal) throw new DriverRefusal(refusal, undefined, String(state));
  return result === 'group' ? 'group' : 'done';
}
