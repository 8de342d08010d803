/**
 * Runs over many jobs of boards in several processes on one datastore: seen and cancelled from each, and continued exactly
 * once per job when their process is killed, stopped for long, closed or started again.
 */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BulkRun } from '../../../src/board/index.ts';
import { openWorld, startInstance } from './worlds.ts';
import type { FilledQueue, Instance, Ledger, RunWorld } from './worlds.ts';
import type { InstanceSettings, StoreName } from './stores.ts';

const isLong = process.env['SLUICE_LONG'] === '1';

/** For a test that hangs: processes start slowly on a busy machine. */
const longMs = isLong ? 1_800_000 : 600_000;

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  // `expect.poll` belongs to one test at a time.
  await vi.waitUntil(condition, { timeout: longMs, interval: 50 });
}

const stores: readonly StoreName[] = [
  'BullMQ on Redis',
  'BullMQ on a cluster',
  'BullMQ on PostgreSQL',
  'Bull',
  'pg-boss',
];

/** Runs a function at the end of a test. */
type AtEnd = (work: () => Promise<void>) => void;

const changedMore = (by: Instance, { id }: Pick<BulkRun, 'id'>, than: number) =>
  until(async () => (await by.find(id)).changed > than);

const hasEnded = (by: Instance, { id }: Pick<BulkRun, 'id'>) =>
  until(async () => (await by.find(id)).state !== 'running');

async function begun(by: Instance, queue: FilledQueue): Promise<BulkRun> {
  const { status, body } = await by.start(queue.body);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.run;
}

/** The run and the ledger say the same: every job once. */
async function expectOnce(by: Instance, id: string, ledger: Ledger, jobs: number) {
  expect(await by.find(id)).toMatchObject({
    state: 'completed',
    examined: jobs,
    matched: jobs,
    changed: jobs,
    refused: [],
  });
  await until(() => ledger.size === jobs);
  expect(Math.max(...ledger.values())).toBe(1);
}

const ends = (...of: readonly Instance[]) =>
  of.flatMap(({ events }) => events).filter(({ type }) => type === 'bulk.ended');

// They mostly wait: for leases of processes that are gone, and for processes to start.
describe.concurrent.each(stores)('%s', (store) => {
  // Some parts, of which those of pg-boss have 5,000 jobs; a run that four instances work on in turn has more.
  const [someJobs, moreJobs] = store === 'pg-boss' ? [11_000, 21_000] : [2_000, 2_000];
  let shared: RunWorld;

  beforeAll(async () => {
    shared = await openWorld(store);
  });

  afterAll(() => shared?.close());

  /** Boards of pg-boss have all queues of their database, and continue the runs of all. */
  async function place(atEnd: AtEnd): Promise<RunWorld> {
    if (store !== 'pg-boss') return shared;
    const world = await openWorld(store);
    atEnd(() => world.close());
    return world;
  }

  async function open(
    atEnd: AtEnd,
    world: RunWorld,
    { name }: FilledQueue,
    as: Pick<InstanceSettings, 'holdsAt' | 'readOnly' | 'writeTimeoutMs'> = {},
  ): Promise<Instance> {
    const instance = await startInstance({ ...world.settings, queues: [name], ...as });
    atEnd(() => instance.kill());
    return instance;
  }

  async function worked(atEnd: AtEnd, queue: FilledQueue): Promise<Ledger> {
    const ledger: Ledger = new Map();
    atEnd(await queue.work(ledger));
    return ledger;
  }

  it(
    'continues the run of a process that is killed, once per job',
    async ({ onTestFinished: atEnd }) => {
      const jobs = isLong ? 20_000 : someJobs;
      const world = await place(atEnd);
      const queue = await world.filled(jobs);
      // It does not end before it is killed, however late that is.
      const [first, second] = await Promise.all([
        open(atEnd, world, queue, { holdsAt: store === 'pg-boss' ? 2 : 6 }),
        open(atEnd, world, queue),
      ]);
      const ledger = await worked(atEnd, queue);
      first.start(queue.body).catch(() => undefined);
      await until(async () => ((await second.list())[0]?.changed ?? 0) > 0);
      const [{ id } = { id: '' }] = await second.list();
      expect((await second.start(queue.body)).status).toBe(409);
      await until(() => first.events.length > 0);
      await first.kill();
      expect(await second.find(id)).toMatchObject({ state: 'running' });
      await hasEnded(second, { id });
      await expectOnce(second, id, ledger, jobs);
      await until(() => second.events.length > 0);
      expect(first.events.map(({ type }) => type)).toEqual(['bulk.started']);
      expect(second.events.map(({ type }) => type)).toEqual(['bulk.ended']);
      await until(async () => (await queue.left()) === jobs);
    },
    longMs,
  );

  it(
    'lets a process that wakes up after its run was taken over write nothing',
    async ({ onTestFinished: atEnd }) => {
      const world = await place(atEnd);
      const queue = await world.filled(someJobs);
      const [first, second] = await Promise.all([
        open(atEnd, world, queue, { holdsAt: 2, writeTimeoutMs: 20_000 }),
        open(atEnd, world, queue),
      ]);
      const ledger = await worked(atEnd, queue);
      const run = await begun(first, queue);
      await first.held;
      const { changed } = await second.find(run.id);
      expect(changed).toBeGreaterThan(0);
      // It begins a part with the hold that it had, while the other one works or when it is done.
      first.child.kill('SIGSTOP');
      await changedMore(second, run, changed);
      first.child.send('go on');
      first.child.kill('SIGCONT');
      await hasEnded(second, run);
      await expectOnce(second, run.id, ledger, someJobs);
      await until(() => ends(first, second).length > 0);
      expect(await first.find(run.id)).toEqual(await second.find(run.id));
      expect(ends(first, second)).toHaveLength(1);
    },
    longMs,
  );

  it(
    'continues after a restart and after a close, and ends where any process cancels it',
    async ({ onTestFinished: atEnd }) => {
      const world = await place(atEnd);
      const queue = await world.filled(moreJobs);
      const [first, reader] = await Promise.all([
        open(atEnd, world, queue, { holdsAt: 2 }),
        open(atEnd, world, queue, { readOnly: true }),
      ]);
      const run = await begun(first, queue);
      await first.held;
      await first.kill();
      const second = await open(atEnd, world, queue, { holdsAt: 2 });
      const { changed } = await second.find(run.id);
      expect(changed).toBeGreaterThan(0);
      await second.held;
      await second.close();
      const waiting = await reader.find(run.id);
      expect(waiting).toMatchObject({ state: 'running', endedAt: null });
      expect(waiting.changed).toBeGreaterThan(changed);
      const [third, fourth] = await Promise.all([
        open(atEnd, world, queue, { holdsAt: 2 }),
        open(atEnd, world, queue, { holdsAt: 2 }),
      ]);
      const other = await Promise.race([
        third.held.then(() => fourth),
        fourth.held.then(() => third),
      ]);
      const cancelled = other.send('POST', `/api/bulk/${run.id}/cancel`);
      // A part of pg-boss holds the run until it is written.
      if (store !== 'pg-boss') await cancelled;
      for (const { child } of [third, fourth]) child.send('go on');
      expect((await cancelled).status).toBe(200);
      await hasEnded(reader, run);
      const ended = await reader.find(run.id);
      // The last parts of pg-boss may be done before.
      expect(['cancelled', store === 'pg-boss' && 'completed']).toContain(ended.state);
      expect(await queue.left()).toBe(moreJobs - ended.changed);
      await until(() => ends(third, fourth).length === 1);
      expect(ends(first, second, reader)).toEqual([]);
    },
    longMs,
  );

  it(
    'is taken over by one of three, and not by one that may only read',
    async ({ onTestFinished: atEnd }) => {
      const world = await place(atEnd);
      const queue = await world.filled(someJobs);
      const [first, reader] = await Promise.all([
        open(atEnd, world, queue, { holdsAt: 2 }),
        open(atEnd, world, queue, { readOnly: true }),
      ]);
      const run = await begun(first, queue);
      await first.held;
      await first.close();
      expect(await reader.find(run.id)).toMatchObject({ state: 'running' });
      const three = await Promise.all([1, 2, 3].map(() => open(atEnd, world, queue)));
      const ledger = await worked(atEnd, queue);
      await hasEnded(reader, run);
      await expectOnce(reader, run.id, ledger, someJobs);
      await until(() => ends(...three).length > 0);
      expect(ends(first, reader, ...three)).toHaveLength(1);
    },
    longMs,
  );

  it.runIf(store === 'pg-boss')(
    'ends the purge of a process that is killed in the middle, and deletes each job once',
    async ({ onTestFinished: atEnd }) => {
      const world = await place(atEnd);
      const queue = await world.filled(someJobs);
      const admin = new pg.Client(world.settings.url);
      await admin.connect();
      // Deletions are noted, and wait for the test once some are committed.
      await admin.query(
        `create table public.deleted (id uuid not null);
         create function public.note() returns trigger language plpgsql as
           $$ begin insert into public.deleted values (old.id); return null; end $$;
         create function public.hold() returns trigger language plpgsql as
           $$ begin if exists (select from public.deleted) then
             perform pg_advisory_xact_lock_shared(1); end if; return null; end $$;
         create trigger note after delete on pgboss.job for each row execute function public.note();
         create trigger hold before delete on pgboss.job for each statement execute function public.hold();
         select pg_advisory_lock(1)`,
      );
      const [first, second] = await Promise.all([
        open(atEnd, world, queue),
        open(atEnd, world, queue),
      ]);
      const removal = { queueName: queue.name, action: 'remove', all: true };
      const { id } = (await first.start(removal)).body.run;
      await until(async () => (await second.find(id)).changed > 0);
      await first.kill();
      const { changed, state } = await second.find(id);
      expect([state, changed + (await queue.left())]).toEqual(['running', someJobs]);
      expect(changed).toBeLessThan(someJobs);
      await admin.query('select pg_advisory_unlock(1)');
      await hasEnded(second, { id });
      expect(await second.find(id)).toMatchObject({
        state: 'completed',
        total: someJobs,
        examined: someJobs,
        matched: someJobs,
        changed: someJobs,
        refused: [],
      });
      const { rows } = await admin.query(
        'select count(*)::int as all, count(distinct id)::int as jobs from public.deleted',
      );
      expect([rows, await queue.left()]).toEqual([[{ all: someJobs, jobs: someJobs }], 0]);
      await admin.end();
      await until(() => ends(second).length > 0);
      expect(ends(first)).toEqual([]);
    },
    longMs,
  );

  it.runIf(store === 'pg-boss' || store === 'BullMQ on PostgreSQL')(
    'continues after its connections have ended in the middle of a part',
    async ({ onTestFinished: atEnd }) => {
      const world = await place(atEnd);
      const queue = await world.filled(someJobs);
      const only = await open(atEnd, world, queue, { holdsAt: 2 });
      const ledger = await worked(atEnd, queue);
      const run = await begun(only, queue);
      await only.held;
      await world.endsConnections?.(run.id, () => only.child.send('go on'));
      await hasEnded(only, run);
      await expectOnce(only, run.id, ledger, someJobs);
      await until(() => ends(only).length === 1);
    },
    longMs,
  );
});
