/** Where BullMQ keeps what the board needs and its queues do not publish; the majors differ here alone. */

import type { RedisClient } from '../redis/connect/client.ts';
import { RedisStore } from '../redis/store.ts';
import type { SqlPool } from '../sql/pool.ts';
import { SqlStore } from '../sql/store.ts';
import type { SqlPlace } from '../sql/store.ts';
import { currentStatuses, currentStatusesWithoutPaused } from '../model/status.ts';
import type { QueueStore } from '../model/store.ts';
import type { JobStatus } from '../model/types.ts';
import type { BullMqChunks, BullMqQueue } from './bullmq-types.ts';
import { isRecord, memberOf, methodOf } from './record.ts';

function isPool(value: unknown): value is SqlPool {
  return typeof memberOf(value, 'query') === 'function';
}

/** Other clients, behind the library's own face for them, have no way to send any command. */
function isClient(value: unknown): value is RedisClient {
  return ['pipeline', 'call'].every((name) => typeof memberOf(value, name) === 'function');
}

/** The object that speaks to the datastore, where the library has one (its sixth major and later). */
function backendOf(queue: BullMqQueue): unknown {
  const getBackend = memberOf(queue, 'getBackend');
  return typeof getBackend === 'function' ? Reflect.apply(getBackend, queue, []) : undefined;
}

/** Address of a pool that the library made from options; pools that the host made have none. */
function poolAddress(queue: BullMqQueue): string | undefined {
  const connection = memberOf(queue.opts, 'connection');
  if (typeof connection === 'string') return connection;
  if (!isRecord(connection) || isPool(connection)) return undefined;
  const { connectionString, host, port, user, database, schema } = connection;
  return JSON.stringify([connectionString, host, port, user, database, schema]);
}

/** The states a queue's jobs can be in: the fifth major has a list of paused ones. */
export function statusesOf(queue: BullMqQueue): readonly JobStatus[] {
  return backendOf(queue) === undefined ? currentStatuses : currentStatusesWithoutPaused;
}

/** The name that workers of the queue give their connections. */
function clientNameOf(queue: BullMqQueue, prefix: string): string {
  const clientName = memberOf(queue, 'clientName');
  return typeof clientName === 'function'
    ? String(Reflect.apply(clientName, queue, []))
    : `${prefix}:${Buffer.from(queue.name).toString('base64')}`;
}

/**
 * The library's client. Where it gave up on one of the host's that connects late, because the server was away at the
 * first attempt, that client itself: it goes on trying.
 */
async function connected(client: unknown, given: unknown): Promise<unknown> {
  try {
    return await client;
  } catch (error) {
    if (isClient(given)) return given;
    throw error;
  }
}

/** Where the rows of the queue are; `null` when it has keys. */
export function sqlPlaceOf(queue: BullMqQueue): SqlPlace | null {
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

/** The data of the queue. */
export function storeOf(queue: BullMqQueue): QueueStore {
  const backend = backendOf(queue);
  const statuses = statusesOf(queue);
  const place = sqlPlaceOf(queue);
  if (place) return new SqlStore(place);
  const qualifiedName = queue.toKey('').slice(0, -1);
  const connection = memberOf(queue.opts, 'connection');
  return new RedisStore({
    legacy: false,
    statuses,
    qualifiedName,
    clientName: clientNameOf(queue, qualifiedName.slice(0, -queue.name.length - 1)),
    connection: typeof connection === 'object' && connection !== null ? connection : {},
    client: async () => {
      const client = await connected(memberOf(backend ?? queue, 'client'), connection);
      if (isClient(client)) return client;
      throw new TypeError('The board reads Redis through ioredis; this queue has another client.');
    },
  });
}

/** Sends Redis a command about a key of the queue: earlier releases lack methods for what is a single command. */
export async function sendCommand(
  queue: BullMqQueue,
  command: string,
  key: string,
  ...args: string[]
): Promise<void> {
  const client = await memberOf(queue, 'client');
  if (!isClient(client)) throw new TypeError('The queue has no Redis client to send a command.');
  await client.call(command, queue.toKey(key), ...args);
}

/** Work in chunks, which the library's own methods do only as a whole. */
export function chunksOf(queue: BullMqQueue): BullMqChunks {
  const backend = backendOf(queue);
  const scripts = memberOf(queue, 'scripts');
  const retry = methodOf(backend, 'retryFinishedJobs') ?? methodOf(scripts, 'retryJobs');
  const promote = methodOf(backend ?? scripts, 'promoteJobs');
  return {
    retry: async (state, count, before) => {
      if (retry) return Number(await retry(state, count, before));
      await queue.retryJobs({ state, count, timestamp: before });
      return 0;
    },
    promote: async (count) => {
      if (promote) return Number(await promote(count));
      await queue.promoteJobs({ count });
      return 0;
    },
  };
}
