/** The libraries and datastores that the board serves: BullMQ 5 and 6 on Redis, BullMQ 6 on PostgreSQL, Bull. */

import Bull from 'bull';
import * as bullmq6 from 'bullmq';
import * as bullmq5 from 'bullmq-5';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { bullmqQueue, bullQueue } from '../../../src/board/kvq/index.ts';
import { filledDatabase, findRedis } from '../../services/index.ts';
import { seed } from '../../seed.ts';
import { isQuick, isSharedOut, newestOf } from '../../setup/left-to-ci.ts';
import type { Cell, CellWorld, FlowSpec, TestQueue } from './cell.ts';
import { quiet } from '../../quiet.ts';
import { forgetKeys } from '../../forget-keys.ts';

type Connection = bullmq6.ConnectionOptions;
type Backend = Parameters<typeof bullmq6.createPostgresBackend>;

/** Creates the classes of a major version on a datastore. */
interface BullMqMaker {
  readonly lib: typeof bullmq6;
  readonly options: object;
  readonly backend: readonly unknown[];
  /** Client for inspecting keys. */
  readonly client?: Redis;
  dispose(): Promise<void>;
}

function bullmqWorld({ lib, options, backend, client, dispose }: BullMqMaker): CellWorld {
  const open: { close(): Promise<unknown> }[] = [];
  const make = <
    Made extends { close(): Promise<unknown>; on(name: 'error', f: () => void): unknown },
  >(
    made: Made,
  ): Made => {
    made.on('error', quiet);
    open.push(made);
    return made;
  };
  const construct = <Made>(constructor: unknown, ...args: unknown[]): Made =>
    Reflect.construct(constructor as new () => Made, [...args, ...backend]);
  const flows = make(construct<bullmq6.FlowProducer>(lib.FlowProducer, options));
  const toFlow = (spec: FlowSpec): bullmq6.FlowJob => ({
    name: spec.name,
    queueName: spec.queue.name,
    data: spec.data ?? {},
    opts: spec.opts ?? {},
    children: (spec.children ?? []).map(toFlow),
  });
  return {
    async queue(name, defaultJobOptions = {}) {
      const given = { ...options, defaultJobOptions };
      const queue = make(construct<bullmq6.Queue>(lib.Queue, name, given));
      await queue.waitUntilReady();
      return {
        name,
        boardQueue: (given) => bullmqQueue(queue, given),
        add: async (job, data, opts) => String((await queue.add(job, data, opts)).id),
        addBulk: async (jobs) => void (await queue.addBulk(jobs.map((job) => ({ ...job })))),
        state: async (id) => String(await queue.getJobState(id)),
        described: async (id) => ({ ...(await queue.getJob(id))?.toJSON() }),
        names: async (status) =>
          (await queue.getJobs([status as bullmq6.JobType], 0, 99)).map(({ name }) => name),
        workers: () => queue.getWorkersCount(),
        ...(client && { redis: { client, key: (type) => queue.toKey(type) } }),
        counts: () => queue.getJobCounts(),
        pause: () => queue.pause(),
        resume: () => queue.resume(),
        async work(processor) {
          const worker = construct<bullmq6.Worker>(
            lib.Worker,
            name,
            (job: bullmq6.Job) =>
              processor({
                id: String(job.id),
                name: job.name,
                data: job.data,
                log: (line) => job.log(line),
                progress: (value) => job.updateProgress(value),
              }),
            { ...options, concurrency: 10, drainDelay: 1, name: 'tester' },
          );
          worker.on('error', quiet);
          await worker.waitUntilReady();
          return () => worker.close();
        },
        async schedule(id, schedule, data, opts = {}) {
          const job = await queue.upsertJobScheduler(id, schedule, {
            name: id,
            data: data ?? {},
            opts,
          });
          return String(job.id);
        },
      };
    },
    flow: async (spec) => String((await flows.add(toFlow(spec))).job.id),
    async close() {
      for (const made of open.toReversed()) await made.close();
      await dispose();
    },
  };
}

async function onRedis(lib: typeof bullmq6): ReturnType<Cell['open']> {
  const service = await findRedis();
  if ('missing' in service) return service;
  const client = new Redis(service.url, { maxRetriesPerRequest: null });
  const prefix = `kvq${randomBytes(4).toString('hex')}`;
  return bullmqWorld({
    lib,
    options: { connection: client as unknown as Connection, prefix },
    backend: [],
    client,
    async dispose() {
      await forgetKeys(client, prefix);
      client.disconnect();
      await service.dispose();
    },
  });
}

const connectionTo = (url: string): Backend[1]['connection'] => ({
  connectionString: url,
  migrate: true,
  // Every queue has a pool of its own: those of finished tests must leave the server to other files.
  max: 2,
  idleTimeoutMillis: 500,
});

async function onPostgresql(): ReturnType<Cell['open']> {
  const database = await filledDatabase('kvq', 'bullmq', async ({ url }) => {
    const { Queue, createPostgresBackend } = bullmq6;
    const queue = new Queue('first', { connection: connectionTo(url) }, createPostgresBackend);
    await queue.waitUntilReady();
    await queue.close();
  });
  if ('missing' in database) return database;
  const connection = connectionTo(database.url);
  return bullmqWorld({
    lib: bullmq6,
    options: { connection },
    backend: [bullmq6.createPostgresBackend],
    dispose: () => database.drop(),
  });
}

async function bullWorld(): ReturnType<Cell['open']> {
  const service = await findRedis();
  if ('missing' in service) return service;
  const client = new Redis(service.url);
  const prefix = `bull${randomBytes(4).toString('hex')}`;
  const open: Bull.Queue[] = [];
  return {
    async queue(name, defaultJobOptions = {}): Promise<TestQueue> {
      const make = (): Bull.Queue => {
        const made = new Bull(name, service.url, { prefix, defaultJobOptions });
        made.on('error', quiet);
        open.push(made);
        return made;
      };
      const queue = make();
      await queue.isReady();
      return {
        name,
        boardQueue: (given) => bullQueue(queue, given),
        add: async (job, data, opts) => String((await queue.add(job, data, opts)).id),
        addBulk: async (jobs) => void (await queue.addBulk(jobs.map((job) => ({ ...job })))),
        state: async (id) => String(await (await queue.getJob(id))?.getState()),
        described: async (id) => ({ ...(await queue.getJob(id))?.toJSON() }),
        names: async (status) =>
          (await queue.getJobs([status as Bull.JobStatus], 0, 99)).map(({ name }) => name),
        workers: async () => (await queue.getWorkers()).length,
        redis: { client, key: (type) => queue.toKey(type) },
        counts: async () => ({ ...(await queue.getJobCounts()) }),
        pause: () => queue.pause(),
        resume: () => queue.resume(),
        async work(processor) {
          const worker = make();
          void worker.process('*', 10, (job) =>
            processor({
              id: String(job.id),
              name: job.name,
              data: job.data,
              log: (line) => job.log(line),
              progress: (value) => job.progress(value) as Promise<void>,
            }),
          );
          await worker.isReady();
          return () => worker.close();
        },
        async schedule(id, { every, pattern }, data) {
          const repeat = pattern === undefined ? { every: every ?? 1_000 } : { cron: pattern };
          const job = await queue.add(id, data ?? {}, { repeat });
          return String(job.id);
        },
      };
    },
    async close() {
      await Promise.all(open.map((queue) => queue.close()));
      await forgetKeys(client, prefix);
      client.disconnect();
      await service.dispose();
    },
  };
}

/** Every library on each of its datastores. */
const all: readonly Cell[] = [
  {
    name: 'BullMQ 6 on Redis',
    library: 'current',
    datastore: 'kv',
    hasPaused: false,
    open: () => onRedis(bullmq6),
  },
  {
    name: 'BullMQ 5 on Redis',
    library: 'current',
    datastore: 'kv',
    hasPaused: true,
    open: () => onRedis(bullmq5 as unknown as typeof bullmq6),
  },
  {
    name: 'BullMQ 6 on PostgreSQL',
    library: 'current',
    datastore: 'sql',
    hasPaused: false,
    open: onPostgresql,
  },
  {
    name: 'Bull on Redis',
    library: 'legacy',
    datastore: 'kv',
    hasPaused: true,
    open: bullWorld,
  },
];

/** Of these CI has one by the seed. */
const inTurn = ['BullMQ 5 on Redis', 'Bull on Redis'];

/** The cells of this run. */
export const cells = newestOf(all, ({ name }) => name.startsWith('BullMQ 5')).filter(
  ({ name }) => isQuick || !isSharedOut || name !== inTurn[seed % 2],
);
