/**
 * The writes of schedulers in Redis that the libraries leave open. They create one under an id that nobody else has: the
 * libraries replace a scheduler with the same id, so the id is claimed first, for a limited time. And they end the earlier
 * life of a run that an edit of its schedule has renewed: BullMQ adds the run over the record of one that was promoted and
 * has finished, which leaves it among the finished jobs, and with marks by which its worker would end the schedule.
 */

import { randomUUID } from 'node:crypto';

import { DriverRefusal } from '../model/driver.ts';
import { timeouts } from '../timeouts.ts';
import { defineScript, type Script } from './connect/script.ts';
import type { RunScript } from './job-pages.ts';

/** `ARGV`: the id, the mark of the claim, and its milliseconds. Returns 1 if the id is free. */
const claimScript = defineScript(`
local call, base, id = redis.call, KEYS[1], ARGV[1]
if call('ZSCORE', base .. 'repeat', id) then return 0 end
if call('SET', base .. 'sluice-claim:' .. id, ARGV[2], 'NX', 'PX', ARGV[3]) then return 1 end
return 0
`);

/** Ends the claim of the id if it has the mark. */
const endClaimScript = defineScript(`
local key = KEYS[1] .. 'sluice-claim:' .. ARGV[1]
if redis.call('GET', key) == ARGV[2] then redis.call('DEL', key) end
return 1
`);

/** Runs the work while the id is claimed. Refused as `exists` if a scheduler or another claim has it. */
export async function claimOnRedis<Result>(
  { run }: { run(script: Script, args: readonly (string | number)[]): Promise<unknown> },
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const mark = randomUUID();
  // Longer than the work may take.
  const { changeMs, commandMs } = timeouts();
  const claimed = await run(claimScript, [id, mark, changeMs + commandMs]);
  if (claimed !== 1) throw new DriverRefusal('exists');
  try {
    return await work();
  } finally {
    // A claim that cannot be ended expires.
    await run(endClaimScript, [id, mark]).catch(() => undefined);
  }
}

/** `ARGV`: the id of the run. Keeps what the library writes when it adds a job. */
const renewScript = defineScript(`
local call, base, id = redis.call, KEYS[1], ARGV[1]
local key = base .. id
if not call('ZSCORE', base .. 'delayed', id) then return 0 end
if call('ZREM', base .. 'completed', id) + call('ZREM', base .. 'failed', id) == 0 then return 0 end
local kept = {}
for field in string.gmatch('name data opts timestamp delay priority rjk deid', '%S+') do kept[field] = true end
for _, field in ipairs(call('HKEYS', key)) do
  if not kept[field] then call('HDEL', key, field) end
end
call('DEL', key .. ':logs')
return 1
`);

/** Frees the next run of a schedule from a finished one with its id, if there is one. */
export async function renewOnRedis(
  { run }: { readonly run: RunScript },
  id: string,
): Promise<void> {
  await run(renewScript, [id]);
}
