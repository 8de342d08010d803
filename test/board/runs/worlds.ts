/** A datastore with a queue of many jobs for a run, workers that note each job they meet, and boards in processes. */

import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type Bull from 'bull';
import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, vi } from 'vitest';
import type { BoardEvent, BulkRun } from '../../../src/board/index.ts';
import { findRedis, scratchDatabase } from '../../services/index.ts';
import { ownCluster } from '../kvq/own-cluster.ts';
import { newestLibrary } from '../pgq/libraries.ts';
import { makeWorld } from '../pgq/world.ts';
import { bullAt, bullmqOptions, made } from './stores.ts';
import type { InstanceEvent, InstanceSettings, StoreName, StoreSettings } from './stores.ts';
import { forgetKeys } from '../../forget-keys.ts';

/** Times that a worker has met each job. */
export type Ledger = Map<string, number>;

/** A queue whose jobs wait for a run. A job that a worker has met comes back to the state in which the run found it. */
export interface FilledQueue {
  readonly name: string;
  /** The run over all of its jobs. */
  readonly body: object;
  /** Starts a worker; the function stops it. */
  work(ledger: Ledger): Promise<() => Promise<void>>;
  /** The number of jobs in the state that the run takes. */
  left(): Promise<number>;
}

export interface RunWorld {
  readonly settings: StoreSettings;
  filled(jobs: number): Promise<FilledQueue>;
  /** Lets an instance that holds the run go on, and ends the connection of its part. Of PostgreSQL only. */
  endsConnections?(id: string, goOn: () => void): Promise<void>;
  close(): Promise<void>;
}

/** A board in a process of its own. */
export interface Instance {
  readonly child: ChildProcess;
  readonly events: BoardEvent[];
  /** Resolves when it holds a run. */
  readonly held: Promise<void>;
  start(body: object): Promise<{ status: number; body: { run: BulkRun } }>;
  find(id: string): Promise<BulkRun>;
  list(): Promise<readonly BulkRun[]>;
  send(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>;
  /** Closes the board, and ends the process. */
  close(): Promise<void>;
  kill(): Promise<void>;
}

const note = (ledger: Ledger, id: string): void => void ledger.set(id, (ledger.get(id) ?? 0) + 1);

const numbered = (jobs: number) => Array.from({ length: jobs }, (_none, index) => index);

/** A job that fails waits for long again. */
const again = { delay: 3_600_000, attempts: 3, backoff: { type: 'fixed', delay: 3_600_000 } };

const promotion = (queueName: string): object => ({ queueName, action: 'promote', all: true });

let queues = 0;
const nextName = (): string => `runs${(queues += 1)}`;

/** Ends the connections of backends, once there are some. */
async function endBackends(admin: pg.Client, which: string, values: unknown[]): Promise<void> {
  const text = `select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity where ${which}`;
  const ended = async () => Number((await admin.query(text, values)).rows[0]?.ended) > 0;
  await vi.waitUntil(ended, { timeout: 600_000 });
}

/** See {@link RunWorld.endsConnections}. */
async function endPart({ store, url }: StoreSettings, id: string, goOn: () => void): Promise<void> {
  const [admin, holder] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([admin.connect(), holder.connect()]);
  const { rows } = await holder.query('select pg_backend_pid() as pid');
  await holder.query('begin');
  const names = `select oid::regclass::text as name from pg_class where relname ~ '^sluice_.*_runs$'`;
  const table = String((await admin.query(names)).rows[0]?.name);
  const held = holder.query(`select from ${table} where id = $1 for update`, [id]);
  if (store === 'pg-boss') {
    // The transaction of the part has the run.
    const blocks = `pid = any(pg_blocking_pids($1)) and state = 'idle in transaction'`;
    await endBackends(admin, blocks, [rows[0]?.pid]);
    await held;
    goOn();
  } else {
    await held;
    goOn();
    // The transaction of the part waits for the run, as the statement does that keeps it.
    const waits = `datname = current_database() and wait_event_type = 'Lock' and xact_start < query_start`;
    await endBackends(admin, waits, []);
  }
  await holder.query('rollback');
  await Promise.all([admin.end(), holder.end()]);
}

async function bullmqWorld(
  settings: StoreSettings,
  dispose: () => Promise<void>,
): Promise<RunWorld> {
  const { client, options, backend } = bullmqOptions(settings);
  const open: { close(): Promise<unknown> }[] = [];
  return {
    settings,
    endsConnections: (id, goOn) => endPart(settings, id, goOn),
    async filled(jobs) {
      const name = nextName();
      const queue = made<bullmq.Queue>(bullmq.Queue, name, options, ...backend);
      open.push(queue);
      const all = numbered(jobs);
      for (let at = 0; at < jobs; at += 2_000) {
        const some = all.slice(at, at + 2_000);
        await queue.addBulk(some.map((index) => ({ name: 'job', data: { index }, opts: again })));
      }
      return {
        name,
        body: promotion(name),
        left: () => queue.getDelayedCount(),
        async work(ledger) {
          const worker = made<bullmq.Worker>(
            bullmq.Worker,
            name,
            async ({ id }: bullmq.Job) => {
              note(ledger, String(id));
              throw new Error('again');
            },
            { ...options, concurrency: 20, drainDelay: 1 },
            ...backend,
          );
          await worker.waitUntilReady();
          // All jobs are done.
          return () => worker.close(true);
        },
      };
    },
    async close() {
      for (const each of open) await each.close();
      client?.disconnect();
      await dispose();
    },
  };
}

async function bullWorld(settings: StoreSettings, dispose: () => Promise<void>): Promise<RunWorld> {
  const open: Bull.Queue[] = [];
  const make = (name: string): Bull.Queue => {
    const queue = bullAt(settings, name);
    open.push(queue);
    return queue;
  };
  return {
    settings,
    async filled(jobs) {
      const name = nextName();
      const queue = make(name);
      for (let at = 0; at < jobs; at += 2_000) {
        const some = numbered(Math.min(2_000, jobs - at));
        await queue.addBulk(some.map((index) => ({ data: { index }, opts: again })));
      }
      return {
        name,
        body: promotion(name),
        left: () => queue.getDelayedCount(),
        async work(ledger) {
          const worker = make(name);
          void worker.process(20, async ({ id }) => {
            note(ledger, String(id));
            throw new Error('again');
          });
          await worker.isReady();
          return () => worker.close();
        },
      };
    },
    async close() {
      await Promise.all(open.map((queue) => queue.close()));
      await dispose();
    },
  };
}

async function bossWorld(): Promise<RunWorld> {
  const world = await makeWorld(newestLibrary, 'runs_in_processes');
  const { url, boss, admin } = world;
  const settings: StoreSettings = { store: 'pg-boss', url, prefix: '' };
  return {
    settings,
    endsConnections: (id, goOn) => endPart(settings, id, goOn),
    async filled(jobs) {
      const name = nextName();
      await boss.createQueue(name);
      await boss.insert(
        name,
        numbered(jobs).map((index) => ({ data: { index }, retryLimit: 0 })),
      );
      await admin.query(
        `update pgboss.job set state = 'failed', started_on = now(), completed_on = now() where name = $1`,
        [name],
      );
      return {
        name,
        body: { queueName: name, action: 'retry', filter: { state: 'failed' } },
        left: async () => {
          const { rows } = await admin.query(
            `select count(*)::int as count from pgboss.job where name = $1 and state = 'failed'`,
            [name],
          );
          return Number(rows[0]?.count);
        },
        async work(ledger) {
          let isStopped = false;
          const loop = async (): Promise<void> => {
            while (!isStopped) {
              const found = await boss.fetch(name, { batchSize: 100 });
              for (const { id } of found) note(ledger, id);
              if (found.length > 0)
                await boss.fail(
                  name,
                  found.map(({ id }) => id),
                );
              else await new Promise((resolve) => void setTimeout(resolve, 20));
            }
          };
          const looping = loop();
          return async () => {
            isStopped = true;
            await looping;
          };
        },
      };
    },
    close: () => world.close(),
  };
}

export async function openWorld(store: StoreName): Promise<RunWorld> {
  const prefix = `runs${randomBytes(4).toString('hex')}`;
  if (store === 'pg-boss') return bossWorld();
  if (store === 'BullMQ on PostgreSQL') {
    const database = await scratchDatabase('postgresql', 'runs_bullmq');
    if ('missing' in database) throw new Error('These tests need PostgreSQL.');
    return bullmqWorld({ store, url: database.url, prefix }, () => database.drop());
  }
  if (store === 'BullMQ on a cluster') {
    const cluster = await ownCluster();
    const url = `redis://127.0.0.1:${cluster.nodes[0]?.port}`;
    return bullmqWorld({ store, url, prefix }, () => cluster.stop());
  }
  const service = await findRedis();
  if ('missing' in service) throw new Error('These tests need Redis.');
  const { url } = service;
  const open = store === 'Bull' ? bullWorld : bullmqWorld;
  return open({ store, url, prefix }, async () => {
    const client = new Redis(url);
    await forgetKeys(client, prefix);
    client.disconnect();
    await service.dispose();
  });
}

/** Starts a board in a process. */
export async function startInstance(settings: InstanceSettings): Promise<Instance> {
  const file = fileURLToPath(new URL('instance.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(settings)], { execArgv: [] });
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const events: BoardEvent[] = [];
  let hold = (): void => undefined;
  const held = new Promise<void>((resolve) => (hold = resolve));
  const told = new Promise<string>((resolve, reject) => {
    child.on('message', (message: InstanceEvent) => {
      if ('url' in message) resolve(message.url);
      else if ('held' in message) hold();
      else if ('run' in message) events.push(message);
    });
    void gone.then(() => reject(new Error('The process of the board has ended.')));
  });
  const url = await told;
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  return {
    child,
    events,
    held,
    send,
    start: async (body) =>
      (await send('POST', '/api/bulk', body)) as { status: number; body: { run: BulkRun } },
    async find(id) {
      const { status, body } = await send('GET', `/api/bulk/${id}`);
      expect([status, body]).toEqual([200, expect.anything()]);
      return (body as { run: BulkRun }).run;
    },
    async list() {
      const { body } = await send('GET', '/api/bulk');
      return (body as { runs: readonly BulkRun[] }).runs;
    },
    async close() {
      const closed = new Promise<void>((resolve) => {
        child.on('message', (message: InstanceEvent) => 'closed' in message && resolve());
      });
      child.send('close');
      await Promise.race([closed, gone]);
      child.kill('SIGKILL');
      await gone;
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
