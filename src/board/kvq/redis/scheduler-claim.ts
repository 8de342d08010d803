/**
 * Creates a scheduler in Redis under an id that nobody else has. The libraries replace a scheduler with the same id, so
 * the id is claimed first, for a limited time.
 */

import { randomUUID } from 'node:crypto';

import { DriverRefusal } from '../model/driver.ts';
import { timeouts } from '../timeouts.ts';
import { defineScript } from './connect/script.ts';
import type { Script } from './connect/script.ts';

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
