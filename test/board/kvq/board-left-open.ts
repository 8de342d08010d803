/** A program that reads a job and its log, closes its queue, and leaves its board open. */

import Bull from 'bull';
import * as bullmq6 from 'bullmq';
import * as bullmq5 from 'bullmq-5';
import { openBoard } from '../../../src/board/core/index.ts';
import { bullQueue, bullmqQueue, kvqEngine } from '../../../src/board/kvq/index.ts';

const { cell, prefix, id, ...redis } = JSON.parse(process.argv[2] ?? '{}');
const lib = cell.startsWith('BullMQ 5') ? (bullmq5 as unknown as typeof bullmq6) : bullmq6;
const isBull = cell.startsWith('Bull on');
const queue = isBull
  ? new Bull('ends', { prefix, redis })
  : new lib.Queue('ends', { prefix, connection: redis });
const added = isBull ? bullQueue(queue as Bull.Queue) : bullmqQueue(queue as bullmq6.Queue);
const board = openBoard(kvqEngine({ queues: [added] }), undefined, {}, false);
const statuses: number[] = [];
for (const path of [`/api/queues/ends/${id}`, `/api/queues/ends/${id}/logs`]) {
  statuses.push((await board.fetch(new Request(`http://localhost${path}`))).status);
}
console.log(statuses.join(' '));
await queue.close();
