/**
 * Ends the earlier life of a run that an edit of its schedule has renewed: BullMQ adds the run over the record of one that
 * was promoted and has finished, which leaves it among the finished jobs, and with marks by which its worker would end
 * the schedule.
 */

import { defineScript } from './connect/script.ts';
import type { RunScript } from './short-scripts.ts';

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
