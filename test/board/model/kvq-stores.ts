/** Queues of BullMQ on Redis and on PostgreSQL, and of Bull, with a worker whose jobs a test takes and ends by hand. */

import Bull from 'bull';
import * as bullmq from 'bullmq';
import * as bullmq5 from 'bullmq-5';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type BoardQueue, bullQueue, bullmqQueue } from '../../../src/board/kvq/index.ts';
import { filledDatabase, findRedis } from '../../services/index.ts';
import { quiet } from '../../quiet.ts';
import { forgetKeys } from '../../forget-keys.ts';

/** The older version, whose types name classes of its own. */
const legacy = bullmq5 as unknown as typeof bullmq;

/** Longer than any test: a lock ends by the worker's hand. */
const lockDuration = 3_600_000;

export interface StoreQueue {
  readonly name: string;
  /** An object of the library for each board, as each instance of a host has one. */
  boardQueue(): BoardQueue;
  add(name: string, options: object): Promise<string>;
  /** The ids of a parent and its two children; absent where the library has no flows. */
  readonly flow?: (name: string) => Promise<readonly string[]>;
  /** Adds a schedule of a name that no other has; the id of its next run. */
  schedule(name: string): Promise<string>;
  setPaused(isPaused: boolean): Promise<void>;
  /** Whether jobs that wait in a paused queue have a status of their own. */
  readonly hasPaused: boolean;
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

/** An id that the library has made, also of a run of a schedule. */
const madeId = '\\d+|[\\da-f-]{36}|repeat:[^:]+:\\d{10,}';
const hashOf = new RegExp(`^(?:${madeId})$`);
/** Keys of a job beside its hash. */
const partOf = new RegExp(
  `^(?<id>${madeId}):(?<part>lock|dependencies|processed|failed|unsuccessful|logs)$`,
);

/** A schedule that is stored, and the time of its next run. */
interface Scheduled {
  readonly name: string;
  readonly next: string;
}

/** Next runs that are not there, and those that wait for a schedule that is not. */
function flawsOfSchedules(
  scheduled: readonly Scheduled[],
  states: ReadonlyMap<string, string>,
): string[] {
  const runs = [...states].filter(([id]) => id.startsWith('repeat:'));
  const lost = scheduled.filter(({ next }) => !runs.some(([id]) => id.endsWith(`:${next}`)));
  const left = runs.filter(
    ([id, state]) => state === 'delayed' && !scheduled.some(({ next }) => id.endsWith(`:${next}`)),
  );
  return [
    ...lost.map(({ name }) => `the schedule ${name} has lost its next run`),
    ...left.map(([id]) => `${id} is left of a schedule that is gone`),
  ];
}

/** Hashes, locks, keys of deduplication and relations that do not belong to a job in its state. */
async function flawsOnRedis(
  client: Redis,
  base: string,
  states: ReadonlyMap<string, string>,
): Promise<string[]> {
  const keys = (await client.keys(`${base}*`)).map((key) => key.slice(base.length));
  const flaws: string[] = [];
  const hashes = new Set(keys.filter((key) => hashOf.test(key)));
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
  const stored = await client.zrange(`${base}repeat`, '0', '-1', 'WITHSCORES');
  const scheduled = stored.flatMap((name, at) =>
    at % 2 === 0 ? [{ name, next: String(stored[at + 1]) }] : [],
  );
  return [...flaws, ...flawsOfSchedules(scheduled, states)];
}

/** The same in the tables of BullMQ. */
async function flawsInTables(
  tables: pg.Pool,
  queue: string,
  states: ReadonlyMap<string, string>,
): Promise<string[]> {
  const { rows } = await tables.query<{ flaw: string }>(
    `select 'job ' || id || ' is ' || state || case when lock_token is null then ' without a lock'
        else ' and locked' end as flaw
      from job where queue = $1 and (state = 'active') <> (lock_token is not null)
    union all
    select 'job ' || id || ' waits for no child' from job where queue = $1
      and state = 'waiting-children' and not exists (select 1 from job_dependency d
        where d.parent_queue = $1 and d.parent_id = job.id and status = 'pending')
    union all
    select d.parent_id || ' waits for ' || child_id || ': ' || coalesce(child.state::text, 'gone')
      from job_dependency d left join job as child on child.queue = child_queue and child.id = child_id
      where d.parent_queue = $1 and status = 'pending' and coalesce(child.state, 'completed') = 'completed'
    union all
    select parent.id || ' is ' || parent.state || ' before ' || child.id
      from job_dependency d join job as parent on parent.queue = d.parent_queue and parent.id = d.parent_id
      join job as child on child.queue = child_queue and child.id = child_id
      where d.parent_queue = $1 and status = 'pending' and parent.state <> 'waiting-children'
        and child.attempts_started = 0
    union all
    select parent.id || ' counts ' || parent.pending_deps || ' children' from job as parent
      where queue = $1 and state = 'waiting-children' and parent.pending_deps <> (select count(*)
        from job_dependency d where d.parent_queue = $1 and d.parent_id = parent.id and status = 'pending')
    union all
    select 'the key ' || dedup.dedup_id || ' belongs to ' || job_id || ', which is '
        || coalesce(job.state::text, 'gone')
      from dedup left join job on job.queue = dedup.queue and job.id = job_id
      where dedup.queue = $1 and (job.state is null or job.state in ('completed', 'failed'))
    union all
    select 'job ' || id || ' has lost its key' from job where queue = $1 and dedup_id is not null
      and state in ('waiting', 'delayed') and attempts_started = 0 and not exists (
        select 1 from dedup where dedup.queue = $1 and dedup.dedup_id = job.dedup_id and job_id = job.id)`,
    [queue],
  );
  const { rows: scheduled } = await tables.query<Scheduled>(
    'select scheduler_id as name, next_run_ms::text as next from scheduler where queue = $1',
    [queue],
  );
  return [...rows.map(({ flaw }) => flaw), ...flawsOfSchedules(scheduled, states)];
}

/** The first of January, at night. */
const yearly = '0 3 1 1 *';

type Construct = <Made>(constructor: unknown, ...args: unknown[]) => Made;

interface BullMqWorld {
  readonly lib: typeof bullmq;
  readonly options: object;
  readonly backend: readonly unknown[];
  readonly data: { readonly client: Redis } | { readonly tables: pg.Pool };
  close(): Promise<void>;
}

function bullmqStore({ lib, options, backend, data, close }: BullMqWorld): Store {
  const construct: Construct = (constructor, ...args) =>
    Reflect.construct(constructor as new () => never, [...args, ...backend]);
  const flows = construct<bullmq.FlowProducer>(lib.FlowProducer, options);
  flows.on('error', quiet);
  return {
    async queue(name) {
      const made: bullmq.Queue[] = [];
      const open = (): bullmq.Queue => {
        const queue = construct<bullmq.Queue>(lib.Queue, name, options);
        queue.on('error', quiet);
        made.push(queue);
        return queue;
      };
      const queue = open();
      await queue.waitUntilReady();
      const worker = construct<bullmq.Worker>(lib.Worker, name, null, {
        ...options,
        autorun: false,
        lockDuration,
      });
      worker.on('error', quiet);
      await worker.waitUntilReady();
      const taken = new Map<string, bullmq.Job>();
      const token = 'model';
      let schedules = 0;
      return {
        name,
        hasPaused: lib === legacy,
        boardQueue: () => bullmqQueue(open()),
        add: async (job, given) => String((await queue.add(job, {}, given)).id),
        async flow(job) {
          const child = { name: job, queueName: name };
          const added = await flows.add({ name: job, queueName: name, children: [child, child] });
          return [added, ...(added.children ?? [])].map((node) => String(node.job.id));
        },
        async schedule(job) {
          schedules += 1;
          const id = `tick-${schedules}`;
          const next = await queue.upsertJobScheduler(id, { pattern: yearly }, { name: job });
          return String(next?.id);
        },
        setPaused: (isPaused) => (isPaused ? queue.pause() : queue.resume()),
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
          if ('client' in data) return statesOnRedis(data.client, queue.toKey(''));
          // Its tables have no state of jobs that are paused.
          const stored = Object.keys(keysOfStates).filter((state) => state !== 'paused');
          const read = await Promise.all(
            stored.map(async (state) => {
              const jobs = await queue.getJobs([state as bullmq.JobType], 0, -1);
              return [state, jobs.map(({ id }) => String(id))] as const;
            }),
          );
          return inOneState(Object.fromEntries(read));
        },
        flaws: (states) =>
          'client' in data
            ? flawsOnRedis(data.client, queue.toKey(''), states)
            : flawsInTables(data.tables, name, states),
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
    await forgetKeys(client, prefix);
    client.disconnect();
    await service.dispose();
  };
  return { url: service.url, client, prefix, close };
}

async function onRedis(lib: typeof bullmq) {
  const world = await redisClient();
  if ('missing' in world) return world;
  const { client, prefix, close } = world;
  const options = { connection: client, prefix };
  return bullmqStore({ lib, options, backend: [], data: { client }, close });
}

export const bullmqOnRedis = () => onRedis(bullmq);
export const bullmq5OnRedis = () => onRedis(legacy);

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
  const tables = new pg.Pool({
    connectionString: database.url,
    options: '-c search_path=bullmq',
    max: 1,
  });
  tables.on('error', quiet);
  return bullmqStore({
    lib: bullmq,
    options: { connection: connection(database.url) },
    backend: [createPostgresBackend],
    data: { tables },
    async close() {
      await tables.end();
      await database.drop();
    },
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
      let schedules = 0;
      return {
        name,
        hasPaused: true,
        boardQueue: () => bullQueue(open()),
        add: async (job, given) => String((await queue.add(job, {}, given)).id),
        async schedule(job) {
          schedules += 1;
          // The library tells schedules apart by the ids of their jobs.
          const repeat = { cron: yearly };
          return String((await queue.add(job, {}, { repeat, jobId: `tick-${schedules}` })).id);
        },
        setPaused: (isPaused) => (isPaused ? queue.pause() : queue.resume()),
        take() {
          // The library waits for a second where there is none.
          const taking = last.then(async () => {
            if ((await client.llen(queue.toKey('wait'))) === 0) return undefined;
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
