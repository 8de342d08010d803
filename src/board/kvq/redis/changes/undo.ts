/**
 * Gives the jobs of a run back on Redis: those that still wait go to the state that the run took them from, with what they
 * had there. A step takes the last changes of the run, and decides, writes, forgets and counts them in one script.
 */

import { RunLost } from '../../../core/index.ts';
import type { ErrorKey } from '../../../contract/index.ts';
import type { SelectionStep } from '../../model/driver.ts';
import { defineScript } from '../connect/script.ts';
import { jobsPerScript, type ChangedQueue } from './bulk.ts';
import { changeParts } from './parts.ts';
import { lostReply, runParts, type NotedRun } from './run-parts.ts';

const undoScript = defineScript(`
${changeParts}
${runParts}
if islost() then return {'${lostReply}'} end
force()

local function takefromwaiting(id)
  if conf.legacy then call('ZREM', base .. 'priority', id) end
  if call('ZREM', base .. 'prioritized', id) > 0 then return true end
  -- From the end at which the run has put the job.
  local count = optionsof(base .. id).lifo == true and -1 or 1
  return call('LREM', base .. 'wait', count, id) > 0 or call('LREM', base .. 'paused', count, id) > 0
end

local function delay(id, score)
  local due = math.floor(tonumber(score) / 0x1000)
  call('ZADD', base .. 'delayed', score, id)
  if conf.legacy then
    pcall(call, 'PUBLISH', base .. 'delayed', string.format('%.0f', due))
    return
  end
  local first = call('ZRANGE', base .. 'delayed', 0, 0, 'WITHSCORES')
  call('ZADD', base .. 'marker', tonumber(first[2]) / 0x1000, '1')
  local limit = call('HGET', base .. 'meta', 'opts.maxLenEvents') or 10000
  local text = string.format('%.0f', due)
  pcall(call, 'XADD', base .. 'events', 'MAXLEN', '~', limit, '*', 'event', 'delayed', 'jobId', id, 'delay', text)
end

local function giveback(held)
  local key = base .. held.id
  if call('EXISTS', key) == 0 then return 'lost' end
  if traceof(held.id) ~= held.trace or call('EXISTS', key .. ':lock') == 1 then return 'started' end
  -- Without the child that it waits for again, its parent would have to start.
  if waiterfor(key) and not held.awaited then return 'awaited' end
  if not takefromwaiting(held.id) then return 'started' end
  if conf.legacy then call('HDEL', key, 'retriedOn') end
  for name, value in pairs(held.fields) do call('HSET', key, name, value) end
  if held.state == 'delayed' then delay(held.id, held.score) else call('ZADD', base .. held.state, held.score, held.id) end
  return 'done'
end

local kept = runs .. ':' .. conf.undoes .. ':undo'
local texts, counts = call('LRANGE', kept, -conf.most, -1), {changed = 0}
for at = #texts, 1, -1 do
  local result = giveback(cjson.decode(texts[at]))
  local name = result == 'done' and 'changed' or 'r:' .. conf.reasons[result]
  counts[name] = (counts[name] or 0) + 1
end
counts.examined, counts.matched = #texts, #texts
call('LTRIM', kept, 0, -#texts - 1)
note(counts)
return {call('LLEN', kept)}
`);

/** The reason of each result of the script. */
const reasons: Readonly<Record<string, ErrorKey>> = {
  lost: 'JOB_NOT_FOUND',
  started: 'JOB_STARTED_SINCE',
  awaited: 'JOB_AWAITED_AGAIN',
};

/** Steps over the changes of a run, the last ones first. The script counts them. */
export function undoOnRedis(
  { settings, run }: ChangedQueue,
  undoes: string,
  noted: NotedRun | undefined,
): SelectionStep {
  const conf = JSON.stringify({
    ...settings,
    now: Date.now(),
    run: noted,
    undoes,
    reasons,
    most: jobsPerScript,
  });
  return async () => {
    const answer = await run(undoScript, [conf]);
    const [left]: unknown[] = Array.isArray(answer) ? answer : [];
    if (left === lostReply) throw new RunLost();
    return { examined: 0, matched: 0, changed: 0, refused: {}, more: Number(left) > 0 };
  };
}
