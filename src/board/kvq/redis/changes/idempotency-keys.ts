/** Notes in Redis for which body the `Idempotency-Key` of an addition stands. */

import type { IdempotencyKeys } from '../../model/driver.ts';
import { defineScript, type Script } from '../connect/script.ts';

/** `ARGV`: the key, the digest of the body, its milliseconds. */
const claimScript = defineScript(`
local key = KEYS[1] .. 'sluice-once:' .. ARGV[1]
local body = redis.call('GET', key)
if body and body ~= ARGV[2] then return 'other' end
redis.call('SET', key, ARGV[2], 'PX', ARGV[3])
return body and 'same' or 'new'
`);

const releaseScript = defineScript(`
local key = KEYS[1] .. 'sluice-once:' .. ARGV[1]
if redis.call('GET', key) == ARGV[2] then redis.call('DEL', key) end
return 1
`);

/** The keys of a queue. */
export function keysOnRedis({
  run,
}: {
  run(script: Script, args: readonly (string | number)[]): Promise<unknown>;
}): IdempotencyKeys {
  return {
    async claim(key, body, lifetimeMs) {
      const found = await run(claimScript, [key, body, lifetimeMs]);
      return found === 'new' || found === 'same' ? found : 'other';
    },
    async release(key, body) {
      await run(releaseScript, [key, body]);
    },
  };
}
