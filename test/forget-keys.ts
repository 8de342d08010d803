/** Removes the keys of a test from Redis, so that a run leaves none behind (`test/setup/nothing-left.ts`). */

import type { Redis } from 'ioredis';

/** Removes every key whose name contains the text, usually a prefix that is drawn at random. */
export async function forgetKeys(client: Redis, text: string): Promise<void> {
  let cursor = '0';
  do {
    const [next, keys] = await client.scan(cursor, 'MATCH', `*${text}*`, 'COUNT', 1_000);
    if (keys.length > 0) await client.unlink(...keys);
    cursor = next;
  } while (cursor !== '0');
}
