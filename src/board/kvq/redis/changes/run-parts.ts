/**
 * Lua functions for scripts that change jobs for a run over many jobs: they note the jobs in the run. The keys of runs
 * begin with `<prefix>:sluice-runs`, those of a queue whose name has the hash tag of a cluster with
 * `<prefix>:<queue>:sluice-runs`:
 *
 * - `sluice-runs`: the ids by the time of the start;
 * - `sluice-runs:<id>`: the run; `r:<key>` counts a reason, `held` ends the hold of its owner;
 * - `sluice-runs:<id>:spec`, `sluice-runs:<id>:marks`: what its work needs, and the jobs that it must not meet again;
 * - `sluice-runs:<id>:undo`: what it has taken from its jobs, in the order of the changes; see `undo.ts`.
 */

import type { ErrorKey } from '../../../contract/index.ts';
import { leaseMs, waitingMs, type RunClaim } from '../../../core/index.ts';

/** `conf.run` of a script. */
export interface NotedRun {
  /** Bytes between the end of the keys of runs and that of the keys of the queue. */
  readonly cut: number;
  readonly id: string;
  readonly fence: number;
  /** Whether what the script takes from jobs is kept. */
  readonly keeps: boolean;
  /** The reason of each result of the script. */
  readonly reasons?: Readonly<Record<string, ErrorKey>>;
}

/** A script answers with it when another instance has taken the run over. */
export const lostReply = 'run-lost';

/** Needs `call`, `base` and `conf`, and to keep what a change takes, the functions of `parts.ts`. */
export const runParts = `
local runs = conf.run and string.sub(base, 1, #base - conf.run.cut) .. 'sluice-runs'
local own = conf.run and conf.run.id and runs .. ':' .. conf.run.id
local function servertime()
  local time = call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function islost()
  if not own then return false end
  local kept = call('HMGET', own, 'state', 'fence')
  return kept[1] ~= 'running' or tonumber(kept[2]) ~= conf.run.fence
end

local function ismarked(id) return own and call('SISMEMBER', own .. ':marks', id) == 1 end

local function mark(id) if own then call('SADD', own .. ':marks', id) end end

-- Fields that tell whether a job has started since, or is another one of the same id.
local function traceof(id)
  local trace = call('HMGET', base .. id, 'timestamp', 'ats', 'atm', 'stc', 'attemptsMade', 'stalledCounter',
    'processedOn', 'retriedOn')
  for at = 1, #trace do trace[at] = trace[at] or '' end
  return table.concat(trace, ' ')
end

-- The place and the fields that a change takes from a job.
local function heldby(id, state)
  if not own or not conf.run.keeps then return nil end
  local fields, names = {}, {'finishedOn', 'processedOn', 'failedReason', 'returnvalue', 'delay', 'retriedOn'}
  for at, value in ipairs(call('HMGET', base .. id, unpack(names))) do fields[names[at]] = value or nil end
  local awaited = waiterfor(base .. id) ~= nil
  return {id = id, state = state, score = call('ZSCORE', base .. state, id), fields = fields, awaited = awaited}
end

local function keep(held)
  if not held then return end
  held.trace = traceof(held.id)
  call('RPUSH', own .. ':undo', cjson.encode(held))
end

-- Adds to the counts of the run, and keeps it.
local function note(counts)
  if not own then return end
  for name, count in pairs(counts) do
    if count > 0 then call('HINCRBY', own, name, count) end
  end
  call('HSET', own, 'held', string.format('%.0f', servertime() + ${leaseMs}))
  for _, key in ipairs({runs, own, own .. ':spec', own .. ':marks', own .. ':undo'}) do call('PEXPIRE', key, ${waitingMs}) end
end
`;

/** Where the keys of runs begin, for a queue whose keys begin with the qualified name; see {@link NotedRun.cut}. */
export function cutOf(qualifiedName: string, name: string): number {
  if (!qualifiedName.endsWith(`:${name}`)) return 0;
  const [tag] = /\{[^}]+\}/.exec(qualifiedName) ?? [];
  const isTagged = tag !== undefined && !qualifiedName.slice(0, -name.length).includes(tag);
  return isTagged ? 0 : new TextEncoder().encode(name).length + 1;
}

/** The run of a claim, for a script on the queue. */
export const notedRun = (
  { id, fence, keeps }: RunClaim,
  qualifiedName: string,
  name: string,
): NotedRun => ({ cut: cutOf(qualifiedName, name), id, fence, keeps });
