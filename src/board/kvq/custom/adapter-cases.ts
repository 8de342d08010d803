/** The behaviour that a board relies on in the adapter of a host, as cases for any test runner. */

import assert from 'node:assert/strict';
import { type QueueAdapter, WritableQueueAdapter } from './queue-adapter.ts';

/** An adapter on an empty queue, and the end of the case. */
export interface OpenedAdapter {
  /** The adapter under test, with an empty queue. */
  readonly adapter: QueueAdapter;
  /** Adds a job where the adapter cannot; default: the `add` of the adapter. */
  readonly add?: (name: string, data: unknown, delay: number) => Promise<string>;
  /** Closes what was opened for the case. Default: nothing. */
  close?(): Promise<void>;
}

/** One case; `run` rejects when the adapter fails it. */
export interface AdapterCase {
  /** Name of the case, for the title of a test. */
  readonly name: string;
  /** Runs the case; rejects where the adapter does not do as a board relies on. */
  run(): Promise<void>;
}

type Add = NonNullable<OpenedAdapter['add']>;

const cases: Readonly<Record<string, (adapter: QueueAdapter, add: Add) => Promise<void>>> = {
  async 'an empty queue has no jobs'(adapter) {
    for (const status of adapter.statuses) {
      assert.equal((await adapter.counts())[status] ?? 0, 0);
      assert.deepEqual(await adapter.jobs(status, 0, 9), []);
    }
    assert.equal(await adapter.job('nobody'), null);
    assert.deepEqual(await adapter.logs('nobody'), []);
  },
  async 'a job is found by its id, with its data'(adapter, add) {
    const data = { text: "o'clock \u00fc", list: [1, null, { a: true }] };
    const before = Date.now();
    const id = await add('mail', data, 0);
    const located = await adapter.job(id);
    assert.equal(located?.state, 'waiting');
    assert.equal(located.job.id, id);
    assert.equal(located.job.name, 'mail');
    assert.deepEqual(located.job.data, data);
    assert.ok(
      Math.abs(located.job.timestamp - before) < 60_000,
      'timestamp must be in milliseconds',
    );
  },
  async 'counts and lists agree, newest first'(adapter, add) {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await add(`job ${index}`, { index }, 0));
    const later = await add('later', {}, 3_600_000);
    const counts = await adapter.counts();
    assert.deepEqual([counts.waiting, counts.delayed], [5, 1]);
    const listed = async (start: number, end: number) =>
      (await adapter.jobs('waiting', start, end)).map(({ id }) => id);
    assert.deepEqual(await listed(0, 9), ids.toReversed());
    assert.deepEqual(await listed(1, 2), [ids[3], ids[2]]);
    assert.deepEqual(await listed(5, 9), []);
    assert.deepEqual(
      (await adapter.jobs('delayed', 0, 0)).map(({ id }) => id),
      [later],
    );
  },
};

const writing: Readonly<
  Record<string, (adapter: WritableQueueAdapter, add: Add) => Promise<void>>
> = {
  async 'a removed job is gone, and missing the second time'(adapter, add) {
    const id = await add('mail', {}, 0);
    assert.equal(await adapter.remove(id, () => true), 'done');
    assert.equal(await adapter.job(id), null);
    assert.equal(await adapter.remove(id, () => true), 'missing');
  },
  async 'of two commands at the same time, one is done'(adapter, add) {
    const id = await add('mail', {}, 0);
    const outcomes = await Promise.all([
      adapter.remove(id, () => true),
      adapter.remove(id, () => true),
    ]);
    assert.deepEqual(outcomes.toSorted(), ['done', 'missing']);
  },
  async 'a job that does not fit stays as it is'(adapter, add) {
    const id = await add('mail', { a: 1 }, 3_600_000);
    const seen: unknown[] = [];
    const fits = (...found: unknown[]): boolean => {
      seen.push(found[1]);
      return false;
    };
    assert.equal(await adapter.remove(id, fits), 'changed');
    assert.equal(await adapter.promote(id, fits), 'changed');
    assert.equal(await adapter.updateData(id, { a: 2 }, fits), 'changed');
    assert.deepEqual(seen, ['delayed', 'delayed', 'delayed']);
    assert.deepEqual((await adapter.job(id))?.job.data, { a: 1 });
    assert.equal((await adapter.job(id))?.state, 'delayed');
  },
  async 'a delayed job is promoted, and no other one'(adapter, add) {
    const id = await add('mail', {}, 3_600_000);
    assert.equal(await adapter.promote(id, () => true), 'done');
    assert.equal((await adapter.job(id))?.state, 'waiting');
    assert.equal(await adapter.promote(id, () => true), 'state');
    assert.equal(await adapter.promote('nobody', () => true), 'missing');
  },
  async 'only a finished job is retried'(adapter, add) {
    const id = await add('mail', {}, 0);
    assert.equal(await adapter.retry(id, () => true), 'state');
    assert.equal(await adapter.retry('nobody', () => true), 'missing');
  },
  async 'data is replaced by any JSON'(adapter, add) {
    const id = await add('mail', { a: 1 }, 0);
    for (const data of [{ b: [2, 'x'] }, [], 'text', 7, false, null]) {
      assert.equal(await adapter.updateData(id, data, () => true), 'done');
      assert.deepEqual((await adapter.job(id))?.job.data ?? null, data);
    }
    assert.equal(await adapter.updateData('nobody', {}, () => true), 'missing');
  },
  async 'a queue is paused and resumed, twice without harm'(adapter) {
    for (const isPaused of [true, true, false, false]) {
      await (isPaused ? adapter.pause() : adapter.resume());
      assert.equal(await adapter.isPaused(), isPaused);
    }
  },
};

/**
 * The cases that an adapter must pass. `open` gives an adapter on an empty queue; it is called once per case.
 *
 * @example
 *   for (const { name, run } of queueAdapterCases(open)) test(name, run);
 */
export function queueAdapterCases(open: () => Promise<OpenedAdapter>): readonly AdapterCase[] {
  const within =
    (check: (adapter: never, add: Add) => Promise<void>, needsWrites: boolean) =>
    async (): Promise<void> => {
      const { adapter, add, close } = await open();
      try {
        const isWritable = adapter instanceof WritableQueueAdapter;
        if (needsWrites && !isWritable) return;
        const own: Add = (name, data, delay) => {
          if (!isWritable)
            throw new TypeError('queueAdapterCases: a read-only adapter needs "add"');
          return adapter.add({ name, data, options: delay > 0 ? { delay } : {} });
        };
        await check(adapter as never, add ?? own);
      } finally {
        await close?.();
      }
    };
  return [
    ...Object.entries(cases).map(([name, check]) => ({ name, run: within(check, false) })),
    ...Object.entries(writing).map(([name, check]) => ({ name, run: within(check, true) })),
  ];
}
