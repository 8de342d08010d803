/** The datastore behind a queue of BullMQ. Only this file distinguishes the major versions. */

import type { RedisClient } from '../redis/connect/client.ts';
import { RedisStore } from '../redis/store.ts';
import type { SqlPool } from '../sql/pool.ts';
import { SqlStore, type SqlLocation } from '../sql/store.ts';
import { currentStatuses, currentStatusesWithoutPaused } from '../model/status.ts';
import type { QueueStore } from '../model/store.ts';
import type { JobStatus } from '../model/types.ts';
import type { BullMqQueue } from './bullmq-types.ts';
import { isRecord, memberOf, methodOf } from './record.ts';

function isPool(value: unknown): value is SqlPool {
  return typeof memberOf(value, 'query') === 'function';
}

/** Clients other than ioredis, wrapped by the library, cannot send arbitrary commands. */
function isClient(value: unknown): value is RedisClient {
  return ['pipeline', 'call'].every((name) => typeof memberOf(value, name) === 'function');
}

/** The backend object of the library (version 6 and later). */
function backendOf(queue: BullMqQueue): unknown {
  const getBackend = memberOf(queue, 'getBackend');
  return typeof getBackend === 'function' ? Reflect.apply(getBackend, queue, []) : undefined;
}

/** Address of a pool that the library created from options; a pool from the host has none. */
function poolAddress(queue: BullMqQueue): string | undefined {
  const connection = memberOf(queue.opts, 'connection');
  if (typeof connection === 'string') return connection;
  if (!isRecord(connection) || isPool(connection)) return undefined;
  const { connectionString, host, port, user, database, schema } = connection;
  return JSON.stringify([connectionString, host, port, user, database, schema]);
}

/** The states of a queue's jobs: version 5 has a paused list. */
export function statusesOf(queue: BullMqQueue): readonly JobStatus[] {
  return backendOf(queue) === undefined ? currentStatuses : currentStatusesWithoutPaused;
}

/**
 * The client of the library. The library gives up on a client of the host if its server is down at the first attempt;
 * the client of the host itself keeps reconnecting, so it is used then.
 */
async function connected(client: unknown, given: unknown): Promise<unknown> {
  try {
    return await client;
  } catch (error) {
    if (isClient(given)) return given;
    throw error;
  }
}

/** The table location of the queue; `null` when it is on Redis. */
export function sqlLocationOf(queue: BullMqQueue): SqlLocation | null {
  const backend = backendOf(queue);
  const pool = memberOf(memberOf(backend, 'connection'), 'pool');
  const ready = methodOf(backend, 'waitUntilReady');
  if (!isPool(pool)) return null;
  return {
    queue: queue.name,
    pool,
    address: poolAddress(queue),
    statuses: statusesOf(queue),
    ready: async () => void (await ready?.()),
  };
}

export function storeOf(queue: BullMqQueue): QueueStore {
  const backend = backendOf(queue);
  const statuses = statusesOf(queue);
  const location = sqlLocationOf(queue);
  if (location) return new SqlStore(location);
  const qualifiedName = queue.toKey('').slice(0, -1);
  const connection = memberOf(queue.opts, 'connection');
  const prefix = qualifiedName.slice(0, -queue.name.length - 1);
  return new RedisStore({
    legacy: false,
    statuses,
    qualifiedName,
    // The connection name of the queue's workers.
    clientName: `${prefix}:${Buffer.from(queue.name).toString('base64')}`,
    connection: typeof connection === 'object' && connection !== null ? connection : {},
    client: async () => {
      const client = await connected(memberOf(backend ?? queue, 'client'), connection);
      if (isClient(client)) return client;
      throw new TypeError('The queue must use an ioredis client.');
    },
  });
}

/** Sends a Redis command on a key of the queue, because earlier releases do not have methods for some commands. */
export async function sendCommand(
  queue: BullMqQueue,
  command: string,
  key: string,
  ...args: string[]
): Promise<void> {
  const client = await memberOf(queue, 'client');
  if (!isClient(client)) throw new TypeError('The queue does not have a Redis client.');
  await client.call(command, queue.toKey(key), ...args);
}
