/** Where the demo's BullMQ queues are kept: the embedded PostgreSQL, or a Redis where one is named. */

import type { Job, QueueOptions, WorkerOptions } from 'bullmq';
import { FlowProducer, Queue, Worker, createPostgresBackend } from 'bullmq';
import { Redis } from 'ioredis';

import type { Closer, Databases } from '../../databases.ts';

/** What a worker does with a job. */
export type Work = (job: Job) => Promise<unknown>;

type ForQueue = Omit<QueueOptions, 'connection'>;
type ForWorker = Omit<WorkerOptions, 'connection'>;

/** Makes BullMQ's classes on one datastore; what it made is closed with the demo. */
export type Store = ReturnType<typeof onRedis> | ReturnType<typeof onPostgres>;

/** Milliseconds that Redis may take to answer at the start. */
const patience = 3_000;

/** Connections of each queue and worker; a worker listens on one more. */
const connections = 2;

/** Milliseconds between two attempts to reach Redis again. */
const again = 1_000;

/** While a datastore stops there is nobody to tell; what is wrong for longer shows on the board. */
const quiet = (): void => undefined;

/** Notes how to close it, and gives it back. */
function kept<
  Made extends {
    close(force?: boolean): Promise<unknown>;
    on(event: 'error', listener: () => void): unknown;
  },
>(made: Made, closers: Closer[]): Made {
  made.on('error', quiet);
  // A worker need not finish its job: it is done again at the next start.
  closers.push(() => made.close(true));
  return made;
}

function onRedis(connection: Redis, closers: Closer[]) {
  const shared = { connection, prefix: 'sluice-demo' };
  return {
    queue: (name: string, options: ForQueue = {}) =>
      kept(new Queue(name, { ...options, ...shared }), closers),
    worker: (name: string, work: Work, options: ForWorker = {}) =>
      kept(new Worker(name, work, { ...options, ...shared }), closers),
    flows: () => kept(new FlowProducer(shared), closers),
  };
}

function onPostgres({ address }: Databases, closers: Closer[]) {
  const shared = {
    connection: { ...address, database: 'postgres', max: connections, migrate: true },
  };
  return {
    queue: (name: string, options: ForQueue = {}) =>
      kept(new Queue(name, { ...options, ...shared }, createPostgresBackend), closers),
    worker: (name: string, work: Work, options: ForWorker = {}) =>
      kept(new Worker(name, work, { ...options, ...shared }, createPostgresBackend), closers),
    flows: () => kept(new FlowProducer(shared, createPostgresBackend), closers),
  };
}

async function connect(url: string, closers: Closer[]): Promise<Redis> {
  let reached = false;
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: patience,
    // Workers wait for as long as Redis is away, but nobody waits for a Redis that is not there.
    maxRetriesPerRequest: null,
    retryStrategy: () => (reached ? again : null),
  });
  client.on('error', quiet);
  closers.push(() => client.disconnect());
  try {
    await client.connect();
    await client.ping();
  } catch {
    // The address may hold a password, and the driver's own words the address.
    throw new Error('The Redis that REDIS_URL names does not answer.');
  }
  reached = true;
  return client;
}

/**
 * Opens the store.
 *
 * @throws Error where the Redis that was named does not answer
 */
export async function openStore(
  databases: Databases,
  redisUrl: string | undefined,
  closers: Closer[],
): Promise<Store> {
  if (redisUrl === undefined) return onPostgres(databases, closers);
  return onRedis(await connect(redisUrl, closers), closers);
}
