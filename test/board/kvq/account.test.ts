/**
 * An account of every job: under eight workers, producers and two boards with all bulk commands at once, each job is
 * finished, failed, or removed by a command that was asked after it was added. Three seconds per library and datastore,
 * thirty in a long run.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { everyServiceRequired } from '../../services/index.ts';
import { everything } from '../../seed.ts';
import { cells } from './cells.ts';
import type { TestQueue } from './cell.ts';
import { type ServedBoard, serveBoard } from './http-board.ts';
import { until } from './suite.ts';

const duration = everything ? 30_000 : 3_000;

const commands = [
  'empty',
  'clean/completed',
  'clean/failed',
  'clean/wait',
  'clean/delayed',
  'promote',
  'retry/failed',
];

/** Milliseconds within which a handler takes the moment of its request, in a process that is not held up. */
const accuracy = 20;

/** The known facts of a job. */
interface Entry {
  /** When adding it began; epoch milliseconds. */
  readonly at: number;
  finished: number;
  failed: number;
}

const inWork = ['active', 'waiting', 'wait', 'delayed', 'prioritized', 'paused'];

async function isIdle(queue: TestQueue): Promise<boolean> {
  const counts = await queue.counts();
  return inWork.every((state) => (counts[state] ?? 0) === 0);
}

/** The end of a run to which a command has left its rest, after two seconds on a busy machine. */
async function ended(board: ServedBoard | undefined, { id }: { readonly id: string }) {
  await until(async () => {
    const { body } = (await board?.get(`/api/bulk/${id}`)) ?? {};
    return body.run.state === 'completed';
  }, 60_000);
}

describe.each(cells.map((cell) => [cell.name, cell] as const))('%s', (_name, cell) => {
  it('accounts for every job', { timeout: duration + 120_000 }, async (context) => {
    const world = await cell.open();
    if ('missing' in world) {
      if (everyServiceRequired()) throw new Error(world.advice);
      return context.skip();
    }
    const queue = await world.queue('account');
    let asked = 0;
    const handlerHooks = { before: () => void (asked = Date.now()) };
    const serve = () => serveBoard([queue.boardQueue()], { handlerHooks });
    const boards = [await serve(), await serve()];
    const entries = new Map<string, Entry>();
    let number = 0;
    const stop = await Promise.all(
      Array.from({ length: 8 }, () =>
        queue.work(async ({ name }) => {
          const entry = entries.get(name);
          await sleep(2);
          if (!entry) throw new Error('A job that nobody added has run.');
          if (Number(name) % 5 === 0) {
            entry.failed += 1;
            throw new Error('as planned');
          }
          entry.finished += 1;
        }),
      ),
    );
    /** A new job; one of three is delayed. */
    const next = () => {
      const name = String((number += 1));
      entries.set(name, { at: Date.now(), finished: 0, failed: 0 });
      const opts = { jobId: `job-${name}`, ...(number % 3 === 0 && { delay: 100 }) };
      return { name, data: { number }, opts };
    };
    const wrong: string[] = [];
    const total = { added: 0, finished: 0, failed: 0, removed: 0 };
    const end = Date.now() + duration;
    let bulk = 500;
    const pauses = monitorEventLoopDelay({ resolution: 5 });
    pauses.enable();
    try {
      do {
        let producing = true;
        const produce = async (): Promise<void> => {
          while (producing) {
            const { name, data, opts } = next();
            await queue.add(name, data, opts);
          }
        };
        const producers = [produce(), produce(), produce()];
        await sleep(100);
        await queue.addBulk(Array.from({ length: bulk }, next));
        const answers = await Promise.all(
          commands.flatMap((command) =>
            boards.map((board) => board.send('PUT', `/api/queues/account/${command}`)),
          ),
        );
        await sleep(50);
        producing = false;
        await Promise.all(producers);
        for (const [at, { status, body }] of answers.entries()) {
          if (status !== 202) expect(status).toBe(200);
          else await ended(boards[at % boards.length], body.run);
        }
        await until(() => isIdle(queue), 60_000);
        for (const [name, { at, finished, failed }] of entries) {
          total.added += 1;
          const state = await queue.state(`job-${name}`);
          const isGone = state === 'unknown' || state === 'undefined' || state === 'null';
          if (finished > 1) wrong.push(`${name} finished ${finished} times`);
          if (finished > 0) total.finished += 1;
          else if (failed > 0) total.failed += 1;
          else if (isGone && at <= asked + accuracy + pauses.max / 1e6) total.removed += 1;
          else wrong.push(`${name} is ${state}, added ${at - asked} ms after the last command`);
        }
        entries.clear();
        // Workers that took all of a round before a command began find more in the next one.
        if (total.removed === 0) bulk *= 2;
        // Until each has happened, since a worker may take the jobs of a round before they are removed.
      } while ((Date.now() < end || Math.min(...Object.values(total)) === 0) && wrong.length === 0);
      console.log(`${cell.name}: ${JSON.stringify(total)}`);
      expect(wrong).toEqual([]);
      expect(boards.flatMap(({ errors }) => errors)).toEqual([]);
    } finally {
      pauses.disable();
      for (const end of stop) await end();
      for (const board of boards) await board.close();
      await world.close();
    }
  });
});
