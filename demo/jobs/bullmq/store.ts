/** The datastore of the BullMQ queues: the embedded PostgreSQL, or the Redis of `REDIS_URL`. */

import type { Job, QueueOptions, WorkerOptions } from 'bullmq';
import { FlowProducer, Queue, Worker, createPostgresBackend } from 'bullmq';
import { Redis } from 'ioredis';

import type { Closer, Databases } from '../../databases.ts';

/** The function of a worker. */
export type Work = (job: Job) => Promise<unknown>;

type ForQueue = Omit<QueueOptions, 'connection'>;
type ForWorker = Omit<WorkerOptions, 'connection'>;

/** Creates BullMQ's objects on one datastore, and closes them with the demo. */
export type Store = ReturnType<typeof onRedis> | Awaited<ReturnType<typeof onPostgres>>;

/** Time limit for the connection to Redis at the start, in milliseconds. */
const connectTimeout = 3_000;

/** Pool size of each queue and worker; a worker has one more connection to listen. */
const connections = 2;

/** Milliseconds between two attempts to reconnect to Redis. */
const reconnectDelay = 1_000;

/** Ignores connection errors: they are expected during a shutdown, and the board shows lasting ones. */
const ignore = (): void => undefined;

/** Registers the closer of an object and returns the object. */
function registered<
  Made extends {
    close(force?: boolean): Promise<unknown>;
    on(event: 'error', listener: () => void): unknown;
  },
>(made: Made, closers: Closer[]): Made {
  made.on('error', ignore);
  // A worker may leave its job unfinished: the job runs again after the next start.
  closers.push(() => made.close(true));
  return made;
}

function onRedis(connection: Redis, closers: Closer[]) {
  const shared = { connection, prefix: 'sluice-demo' };
  return {
    queue: (name: string, options: ForQueue = {}) =>
      registered(new Queue(name, { ...options, ...shared }), closers),
    worker: (name: string, work: Work, options: ForWorker = {}) =>
      registered(new Worker(name, work, { ...options, ...shared }), closers),
    flows: () => registered(new FlowProducer(shared), closers),
  };
}

async function onPostgres({ address }: Databases, closers: Closer[]) {
  const connection = { ...address, database: 'postgres', max: connections };
  // One migrates for all: several at a time may wait for each other's locks.
  const migrating = { connection: { ...connection, migrate: true } };
  await registered(new Queue('mails', migrating, createPostgresBackend), closers).waitUntilReady();
  const shared = { connection: { ...connection, migrate: false } };
  return {
    queue: (name: string, options: ForQueue = {}) =>
      registered(new Queue(name, { ...options, ...shared }, createPostgresBackend), closers),
    worker: (name: string, work: Work, options: ForWorker = {}) =>
      registered(new Worker(name, work, { ...options, ...shared }, createPostgresBackend), closers),
    flows: () => registered(new FlowProducer(shared, createPostgresBackend), closers),
  };
}

async function connect(url: string, closers: Closer[]): Promise<Redis> {
  let reached = false;
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout,
    // Workers wait while Redis is down, but the start fails if Redis was never reached.
    maxRetriesPerRequest: null,
    retryStrategy: () => (reached ? reconnectDelay : null),
  });
  client.on('error', ignore);
  closers.push(() => client.disconnect());
  try {
    await client.connect();
    await client.ping();
  } catch {
    // The driver's message may contain the address, and the address a password.
    throw new Error('The Redis of REDIS_URL does not respond.');
  }
  reached = true;
  return client;
}

/**
 * Opens the store.
 *
 * @throws {Error} when the Redis of `redisUrl` does not respond
 */
export async function openStore(
  databases: Databases,
  redisUrl: string | undefined,
  closers: Closer[],
): Promise<Store> {
  if (redisUrl === undefined) return onPostgres(databases, closers);
  return onRedis(await connect(redisUrl, closers), closers);
}
