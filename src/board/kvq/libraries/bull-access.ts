/** Access to internals of Bull that its queues do not publish. */

import type { RedisClient } from '../redis/connect/client.ts';
import { RedisStore } from '../redis/store.ts';
import { legacyStatuses } from '../model/status.ts';
import type { BullQueue } from './bull-types.ts';
import { memberOf } from './record.ts';

function isClient(value: unknown): value is RedisClient {
  return ['pipeline', 'call'].every((name) => typeof memberOf(value, name) === 'function');
}

export function storeOf(queue: BullQueue): RedisStore {
  const qualifiedName = queue.toKey('').slice(0, -1);
  const clientName = memberOf(queue, 'clientName');
  return new RedisStore({
    legacy: true,
    statuses: legacyStatuses,
    qualifiedName,
    clientName:
      typeof clientName === 'function' ? String(Reflect.apply(clientName, queue, [])) : '',
    connection: queue.client,
    client: async () => {
      const { client } = queue;
      if (isClient(client)) return client;
      throw new TypeError('The queue does not have a Redis client.');
    },
  });
}
