/** Shared parts of the kvq suites: an environment per library and datastore, a queue and a board per test. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { QueueOptions } from '../../../src/board/kvq/index.ts';
import type { BulkStep } from '../../../src/board/kvq/model/driver.ts';
import { everyServiceRequired } from '../../services/index.ts';
import type { Cell, CellWorld, TestQueue } from './cell.ts';
import type { Answer, ServedBoard } from './http-board.ts';
import { serveBoard } from './http-board.ts';

/** Waits until a condition is true. */
export async function until(holds: () => Promise<boolean>, patience = 120_000): Promise<void> {
  const end = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It never came to hold.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** The number of jobs that all steps change. */
export async function changedBy(step: BulkStep): Promise<number> {
  let sum = 0;
  for (let isMore = true; isMore;) {
    const { changed, more } = await step();
    sum += changed;
    isMore = more;
  }
  return sum;
}

/** Runs `check` while a worker is processing the only waiting job of the queue. */
export async function whileActive(queue: TestQueue, check: () => Promise<void>): Promise<void> {
  let begin = (): void => undefined;
  let finish = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const stop = await queue.work(() => {
    begin();
    return finished;
  });
  try {
    await begun;
    await check();
  } finally {
    finish();
    await stop();
  }
}

/** The error key of a response, without its prefix. */
export const keyOf = (answer: Answer): string =>
  `${answer.status} ${String(answer.body?.error?.key).replace('ERRORS.', '')}`;

/** A queue on a separate board. */
export interface Stage {
  readonly queue: TestQueue;
  readonly board: ServedBoard;
  /** Base path of the queue's routes. */
  readonly path: string;
  /** Runs jobs until none is waiting. */
  runJobs(fails: boolean): Promise<void>;
  /** The queue in the listing. */
  listed(query?: string): Promise<Answer['body']>;
}

/** The tools of a suite. */
export interface Suite {
  readonly cell: Cell;
  /** Whether the library is BullMQ, not Bull. */
  readonly current: boolean;
  world(): CellWorld;
  start(options?: QueueOptions): Promise<Stage>;
  /** A test; skipped when the datastore is missing, and failed when the board logs an error. */
  test(name: string, run: () => Promise<void>, patience?: number): void;
}

async function runJobs(queue: TestQueue, fails: boolean): Promise<void> {
  const stop = await queue.work(async (job) => {
    await job.log('first line');
    await job.log('second line');
    await job.progress(50);
    if (fails) throw new Error('it broke');
    return { done: true };
  });
  try {
    await until(async () => {
      const { active = 0, waiting = 0, wait = 0 } = await queue.counts();
      return active + waiting + wait === 0;
    });
  } finally {
    // A worker that stays open would hold up the closing of its connections as well.
    await stop();
  }
}

/** Names of queues, each used once. */
let number = 0;

/** Runs a suite for a cell. */
export function suiteOf(cell: Cell, define: (suite: Suite) => void): void {
  describe(`${cell.name}`, () => {
    let world: CellWorld;
    const boards: ServedBoard[] = [];

    beforeAll(async () => {
      const opened = await cell.open();
      if ('missing' in opened) {
        if (everyServiceRequired()) throw new Error(opened.advice);
        return;
      }
      world = opened;
    });

    afterAll(() => world?.close());

    afterEach(async () => {
      await Promise.all(boards.splice(0).map((served) => served.close()));
    });

    define({
      cell,
      current: cell.library === 'current',
      world: () => world,
      async start(options = {}) {
        number += 1;
        const queue = await world.queue(`queue-${number}`);
        const board = await serveBoard([queue.boardQueue(options)]);
        boards.push(board);
        return {
          queue,
          board,
          path: `/api/queues/${queue.name}`,
          runJobs: (fails) => runJobs(queue, fails),
          async listed(query = '') {
            const answer = await board.get(`/api/queues?activeQueue=${queue.name}${query}`);
            expect(answer.status).toBe(200);
            return answer.body.queues[0];
          },
        };
      },
      test(name, run, patience) {
        it(
          `${name}`,
          async (context) => {
            if (!world) context.skip();
            await run();
            expect(boards.flatMap(({ errors }) => errors)).toEqual([]);
          },
          patience,
        );
      },
    });
  });
}
