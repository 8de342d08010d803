/** Queues of BullMQ on Redis and on PostgreSQL, and of Bull, with a worker whose jobs a test takes and ends by hand. */

import Bull from 'bull';
import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { type BoardQueue, bullQueue, bullmqQueue } from '../../../src/board/kvq/index.ts';
import { filledDatabase, findRedis } from '../../services/index.ts';
import { quiet } from '../../quiet.ts';

/** Longer than any test: a lock ends by the worker's hand. */
const lockDuration = 3_600_000;

export interface StoreQueue {
  readonly name: string;
  /** An object of the library for each board, as each instance of a host has one. */
  boardQueue(): BoardQueue;
  add(name: string, options: object): Promise<string>;
  /** The ids of a parent and its two children; absent where the library has no flows. */
  readonly flow?: (name: string) => Promise<readonly string[]>;
  take(): Promise<string | undefined>;
  /** Ends a job that was taken, once; whether it was. */
  end(id: string, fails: boolean): Promise<boolean>;
  states(): Promise<ReadonlyMap<string, string>>;
  flaws(states: ReadonlyMap<string, string>): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Store {
  queue(name: string): Promise<StoreQueue>;
  close(): Promise<void>;
}

/** The states in which each job stands; throws where it is in two. */
function inOneState(ids: Readonly<Record<string, readonly string[]>>): Map<string, string> {
  const states = new Map<string, string>();
  for (const [state, members] of Object.entries(ids)) {
    for (const id of members) {
      // A mark that lets workers look, which is not a job.
      if (id.startsWith('0:')) continue;
      const other = states.get(id);
      if (other !== undefined) throw new Error(`job ${id} is ${other} and ${state}`);
      states.set(id, state);
    }
  }
  return states;
}

const lists: ReadonlySet<string> = new Set(['wait', 'active', 'paused']);
const keysOfStates: Readonly<Record<string, string>> = {
  waiting: 'wait',
  paused: 'paused',
  active: 'active',
  delayed: 'delayed',
  prioritized: 'prioritized',
  completed: 'completed',
  failed: 'failed',
  'waiting-children': 'waiting-children',
};

async function statesOnRedis(client: Redis, base: string): Promise<Map<string, string>> {
  const read = await Promise.all(
    Object.entries(keysOfStates).map(async ([state, key]) => {
      const ids = lists.has(key)
        ? await client.lrange(`${base}${key}`, 0, -1)
        : await client.zrange(`${base}${key}`, '0', '-1');
      return [state === 'paused' ? 'waiting' : state, ids] as const;
    }),
  );
  const ids: Record<string, string[]> = {};
  for (const [state, members] of read) ids[state] = [...(ids[state] ?? []), ...members];
  return inOneState(ids);
}

/** Keys of a job beside its hash. */
const partOf =
  /^(?<id>\d+|[\da-f-]{36}):(?<part>lock|dependencies|processed|failed|unsuccessful|logs)$/;

/** Hashes, locks, keys of deduplication and relations that do not belong to a job in its state. */
async function flawsOnRedis(
  client: Redis,
  base: string,
  states: ReadonlyMap<string, string>,
): Promise<string[]> {
  const keys = (await client.keys(`${base}*`)).map((key) => key.slice(base.length));
  const flaws: string[] = [];
  const hashes = new Set(keys.filter((key) => /^(?:\d+|[\da-f-]{36})$/.test(key)));
  for (const id of hashes) if (!states.has(id)) flaws.push(`job ${id} is in no state`);
  for (const [id, state] of states) {
    if (!hashes.has(id)) flaws.push(`job ${id} is ${state} without a hash`);
    const isLocked = keys.includes(`${id}:lock`);
    if (isLocked !== (state === 'active')) {
      flaws.push(`job ${id} is ${state} ${isLocked ? 'and locked' : 'without a lock'}`);
    }
    if (state === 'waiting-children' && !keys.includes(`${id}:dependencies`)) {
      flaws.push(`job ${id} waits for no child`);
    }
  }
  for (const [id, state] of states) {
    const [name, starts] = await client.hmget(`${base}${id}`, 'deid', 'ats');
    if (!name || starts || !['waiting', 'delayed'].includes(state)) continue;
    // No other job has been added under its key.
    const owner = await client.get(`${base}de:${name}`);
    if (owner !== id) flaws.push(`job ${id} has lost the key ${name} to ${owner}`);
  }
  for (const key of keys) {
    const { id = '', part } = partOf.exec(key)?.groups ?? {};
    if (part && !hashes.has(id)) flaws.push(`${key} is left of a job that is gone`);
    if (part === 'dependencies') {
      const parent = states.get(id);
      for (const child of await client.smembers(`${base}${key}`)) {
        const state = states.get(child.slice(base.length));
        if (!state || state === 'completed') flaws.push(`${id} waits for ${child}: ${state}`);
        // A child that is retried is awaited again, also where its parent was free to run.
        const isFirst = (await client.hexists(child, 'ats')) === 0;
        if (isFirst && parent !== 'waiting-children')
          flaws.push(`${id} is ${parent} before ${child}`);
      }
    }
    if (key.startsWith('de:')) {
      const owner = await client.get(`${base}${key}`);
      const state = states.get(owner ?? '');
      if (!state || ['completed', 'failed'].includes(state)) {
        flaws.push(`${key} belongs to ${owner}, which is ${state}`);
      }
    }
  }
  return flaws;
}

type Construct = <Made>(constructor: unknown, ...args: unknown[]) => Made;

interface BullMqWorld {
  readonly options: object;
  readonly backend: readonly unknown[];
  readonly client?: Redis;
  close(): Promise<void>;
}

function bullmqStore({ options, backend, client, close }: BullMqWorld): Store {
  const construct: Construct = (constructor, ...args) =>
    Reflect.construct(constructor as new () => never, [...args, ...backend]);
  const flows = construct<bullmq.FlowProducer>(bullmq.FlowProducer, options);
  flows.on('error', quiet);
  return {
    async queue(name) {
      const made: bullmq.Queue[] = [];
      const open = (): bullmq.Queue => {
        const queue = construct<bullmq.Queue>(bullmq.Queue, name, options);
        queue.on('error', quiet);
        made.push(queue);
        return queue;
      };
      const queue = open();
      await queue.waitUntilReady();
      const worker = construct<bullmq.Worker>(bullmq.Worker, name, null, {
        ...options,
        autorun: false,
        lockDuration,
      });
      worker.on('error', quiet);
      await worker.waitUntilReady();
      const taken = new Map<string, bullmq.Job>();
      const token = 'model';
      return {
        name,
        boardQueue: () => bullmqQueue(open()),
        add: async (job, given) => String((await queue.add(job, {}, given)).id),
        async flow(job) {
          const child = { name: job, queueName: name };
          const added = await flows.add({ name: job, queueName: name, children: [child, child] });
          return [added, ...(added.children ?? [])].map((node) => String(node.job.id));
        },
        async take() {
          const job = await worker.getNextJob(token, { block: false });
          if (!job) return undefined;
          taken.set(String(job.id), job);
          return String(job.id);
        },
        async end(id, fails) {
          const job = taken.get(id);
          taken.delete(id);
          if (fails) await job?.moveToFailed(new Error('broken'), token, false);
          else await job?.moveToCompleted('done', token, false);
          return job !== undefined;
        },
        async states() {
          if (client) return statesOnRedis(client, queue.toKey(''));
          const read = await Promise.all(
            Object.keys(keysOfStates).map(async (state) => {
              const jobs = await queue.getJobs([state as bullmq.JobType], 0, -1);
              return [state, jobs.map(({ id }) => String(id))] as const;
            }),
          );
          return inOneState(Object.fromEntries(read));
        },
        flaws: async (states) => (client ? flawsOnRedis(client, queue.toKey(''), states) : []),
        async close() {
          await worker.close(true);
          for (const each of made) await each.close();
        },
      };
    },
    async close() {
      await flows.close();
      await close();
    },
  };
}

async function redisClient() {
  const service = await findRedis();
  if ('missing' in service) return service;
  const client = new Redis(service.url, { maxRetriesPerRequest: null });
  const prefix = `model${randomBytes(4).toString('hex')}`;
  const close = async (): Promise<void> => {
    const keys = await client.keys(`${prefix}*`);
    if (keys.length > 0) await client.unlink(...keys);
    client.disconnect();
    await service.dispose();
  };
  return { url: service.url, client, prefix, close };
}

export async function bullmqOnRedis() {
  const world = await redisClient();
  if ('missing' in world) return world;
  const { client, prefix, close } = world;
  return bullmqStore({ options: { connection: client, prefix }, backend: [], client, close });
}

export async function bullmqOnPostgresql() {
  const { Queue, createPostgresBackend } = bullmq;
  const connection = (url: string) => ({
    connectionString: url,
    migrate: true,
    max: 2,
    idleTimeoutMillis: 500,
  });
  const database = await filledDatabase('kvq_model', 'bullmq', async ({ url }) => {
    const queue = new Queue('first', { connection: connection(url) }, createPostgresBackend);
    await queue.waitUntilReady();
    await queue.close();
  });
  if ('missing' in database) return database;
  return bullmqStore({
    options: { connection: connection(database.url) },
    backend: [createPostgresBackend],
    close: () => database.drop(),
  });
}

export async function bullOnRedis() {
  const world = await redisClient();
  if ('missing' in world) return world;
  const { client, prefix, url, close } = world;
  const store: Store = {
    async queue(name) {
      const made: Bull.Queue[] = [];
      const open = (): Bull.Queue => {
        const settings = { lockDuration, drainDelay: 1 };
        const queue = new Bull(name, url, { prefix, settings });
        queue.on('error', quiet);
        made.push(queue);
        return queue;
      };
      const queue = open();
      await queue.isReady();
      const taken = new Map<string, Bull.Job>();
      let last: Promise<unknown> = Promise.resolve();
      return {
        name,
        boardQueue: () => bullQueue(open()),
        add: async (job, given) => String((await queue.add(job, {}, given)).id),
        take() {
          // The library waits for a second where there is none.
          const taking = last.then(async () => {
            if ((await queue.getWaitingCount()) === 0) return undefined;
            const job = await queue.getNextJob();
            if (!job) return undefined;
            const key = queue.toKey(String(job.id));
            // The library has no hold on a job between its move and its lock, and hands out one that was removed then.
            if ((await client.hexists(key, 'data')) === 0) {
              await client.del(key, `${key}:lock`);
              return undefined;
            }
            taken.set(String(job.id), job);
            return String(job.id);
          });
          last = taking.catch(() => undefined);
          return taking;
        },
        async end(id, fails) {
          const job = taken.get(id);
          taken.delete(id);
          if (fails) await job?.moveToFailed({ message: 'broken' });
          else await job?.moveToCompleted('done', false, true);
          return job !== undefined;
        },
        states: () => statesOnRedis(client, queue.toKey('')),
        flaws: (states) => flawsOnRedis(client, queue.toKey(''), states),
        async close() {
          for (const each of made) await each.close(true);
        },
      };
    },
    close,
  };
  return store;
}
