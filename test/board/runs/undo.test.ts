/** Runs with a rate, and runs that are undone, beside workers: each job is met at most once, and none is lost. */

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BulkRun } from '../../../src/board/index.ts';
import { openWorld, startInstance } from './worlds.ts';
import type { FilledQueue, Instance, Ledger, RunWorld } from './worlds.ts';
import { isSharedOut } from '../../setup/left-to-ci.ts';
import { seed } from '../../seed.ts';
import type { StoreName } from './stores.ts';

/** For a test that hangs. */
const longMs = 600_000;

const stores: readonly StoreName[] = [
  'BullMQ on Redis',
  'BullMQ on a cluster',
  'BullMQ on PostgreSQL',
  'Bull',
  'pg-boss',
];

const until = (condition: () => Promise<boolean> | boolean) =>
  vi.waitUntil(condition, { timeout: longMs, interval: 50 });

async function ended(by: Instance, { id }: Pick<BulkRun, 'id'>): Promise<BulkRun> {
  await until(async () => (await by.find(id)).state !== 'running');
  return by.find(id);
}

const codeOf = (body: unknown): unknown => Object(body).code;

describe.each(stores.filter((_, at) => !isSharedOut || at % 2 === seed % 2))('%s', (store) => {
  let world: RunWorld;

  beforeAll(async () => {
    world = await openWorld(store);
  });

  afterAll(async () => {
    await world?.close();
  });

  async function opened(jobs: number): Promise<{ queue: FilledQueue; by: Instance }> {
    const queue = await world.filled(jobs);
    const by = await startInstance({ ...world.settings, queues: [queue.name] });
    onTestFinished(() => by.kill());
    return { queue, by };
  }

  async function worked(queue: FilledQueue, workers: number): Promise<Ledger> {
    const ledger: Ledger = new Map();
    for (let count = 0; count < workers; count += 1) onTestFinished(await queue.work(ledger));
    return ledger;
  }

  const undo = async (by: Instance, { id }: BulkRun) => {
    const { status, body } = await by.send('POST', `/api/bulk/${id}/undo`);
    expect([status, body]).toEqual([200, expect.anything()]);
    return ended(by, (body as { run: BulkRun }).run);
  };

  it(
    'gives back the jobs that no worker has begun, each once',
    async () => {
      const jobs = 12_000;
      const { queue, by } = await opened(jobs);
      const { body } = await by.start(queue.body);
      const run = await ended(by, body.run);
      expect(run).toMatchObject({ changed: jobs, undoable: true, undoes: null, rate: null });
      const ledger = await worked(queue, 8);
      await until(() => ledger.size > 100);
      const undone = await undo(by, run);
      const { action } = run;
      expect(undone).toMatchObject({ state: 'completed', action, undoes: run.id, undoable: false });
      expect(undone.examined).toBe(jobs);
      const started = undone.refused.reduce((sum, { count }) => sum + count, 0);
      expect(undone.changed).toBeGreaterThan(0);
      expect(undone.changed + started).toBe(jobs);
      const keys = undone.refused.map(({ reason }) => reason.key);
      expect(keys).toEqual(['ERRORS.JOB_STARTED_SINCE']);
      // Those that had started come back from their workers, and no other.
      await until(async () => (await queue.left()) === jobs);
      expect(ledger.size).toBe(started);
      expect(Math.max(...ledger.values())).toBe(1);
      expect(await undo(by, run)).toMatchObject({ examined: 0, changed: 0, refused: [] });
    },
    longMs,
  );

  it(
    'gives back what a stopped run has changed, after its instance is killed as well',
    async () => {
      const { queue, by } = await opened(600);
      const { body } = await by.start({ ...queue.body, rate: 40 });
      await until(async () => (await by.find(body.run.id)).changed >= 20);
      const early = await by.send('POST', `/api/bulk/${body.run.id}/undo`);
      expect([early.status, codeOf(early.body)]).toEqual([409, 'BULK_RUNNING']);
      await by.send('POST', `/api/bulk/${body.run.id}/cancel`);
      const run = await ended(by, body.run);
      expect(run).toMatchObject({ state: 'cancelled', undoable: true, rate: 40 });
      expect(await queue.left()).toBe(600 - run.changed);
      await by.kill();
      const next = await startInstance({ ...world.settings, queues: [queue.name] });
      onTestFinished(() => next.kill());
      expect(await undo(next, run)).toMatchObject({ changed: run.changed, refused: [] });
      expect(await queue.left()).toBe(600);
    },
    longMs,
  );

  it(
    'keeps its rate, and meets each job once',
    async () => {
      const [jobs, rate] = [120, 80];
      const { queue, by } = await opened(jobs);
      const ledger = await worked(queue, 8);
      const { body } = await by.start({ ...queue.body, rate });
      const run = await ended(by, body.run);
      expect(run).toMatchObject({ state: 'completed', changed: jobs, refused: [], rate });
      // The first part is at the beginning, and the last one a part before the end.
      const least = ((jobs - rate / 4) / rate) * 1_000;
      expect(Number(run.endedAt) - run.startedAt).toBeGreaterThanOrEqual(least);
      await until(() => ledger.size === jobs);
      expect(Math.max(...ledger.values())).toBe(1);
    },
    longMs,
  );

  it('refuses to undo a run that only counts or removes, and a rate that is none', async () => {
    const { queue, by } = await opened(5);
    const dry = await by.start({ ...queue.body, dryRun: true });
    const counted = await ended(by, dry.body.run);
    const removal = await by.start({ queueName: queue.name, action: 'remove', ids: ['no'] });
    const ids = [counted.id, ...(removal.status === 200 ? [removal.body.run.id] : [])];
    for (const id of ids) {
      const { status, body } = await by.send('POST', `/api/bulk/${id}/undo`);
      expect([status, codeOf(body)]).toEqual([409, 'BULK_NOT_UNDOABLE']);
    }
    for (const rate of [0, -1, 1.5, 10_001, '5', null]) {
      const { status } = await by.start({ ...queue.body, rate });
      expect([rate, status]).toEqual([rate, 400]);
    }
  });
});
