/** Queues of a kvq board in each state that a dashboard shows, made with real workers. */

import type { Cell, CellWorld, TestQueue } from '../board/kvq/cell.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { expect, vi } from 'vitest';

export interface FailingQueues {
  readonly board: ServedBoard;
  readonly mail: TestQueue;
  readonly parcels: TestQueue;
  readonly failed: readonly string[];
  close(): Promise<void>;
}

const noMailbox = 'No such mailbox: customer-7@example.com';

/** `mail` with failed, completed and delayed jobs, and `shop:parcels`, whose jobs wait. */
export async function failingQueues(cell: Cell): Promise<FailingQueues> {
  const world = await cell.open();
  if ('missing' in world) throw new Error(world.advice);
  const { mail, parcels, failed } = await fill(world);
  const board = await serveBoard([
    mail.boardQueue({ description: 'Letters to customers.' }),
    parcels.boardQueue({ delimiter: ':' }),
  ]);
  return {
    board,
    mail,
    parcels,
    failed,
    async close() {
      await board.close();
      await world.close();
    },
  };
}

async function fill(world: CellWorld) {
  const mail = await world.queue('mail');
  const parcels = await world.queue('shop-parcels');
  const failed: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    failed.push(await mail.add('welcome', { to: `customer-${index}@example.com`, order: index }));
  }
  for (let index = 0; index < 4; index += 1) await mail.add('receipt', { order: 100 + index });
  const stop = await mail.work(async (job) => {
    await job.log(`sending ${job.name}`);
    if (job.name === 'welcome') throw new Error(noMailbox);
    return { accepted: true };
  });
  await vi.waitFor(
    async () => {
      const { failed: failures, completed } = await mail.counts();
      expect([failures, completed]).toEqual([6, 4]);
    },
    { timeout: 60_000, interval: 50 },
  );
  await stop();
  await mail.add('reminder', { order: 7 }, { delay: 3_600_000 });
  for (let index = 0; index < 3; index += 1) await parcels.add('pack', { parcel: index });
  return { mail, parcels, failed };
}
