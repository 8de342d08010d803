/** A process that adds jobs to the queue in its arguments, 2 to 8 ms apart, until it is told to stop, and tells how long each took. */

import * as bullmq from 'bullmq';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const [port = '', name = ''] = process.argv.slice(2);
const queue = new bullmq.Queue(name, { connection: { port: Number(port), host: '127.0.0.1' } });
const add = () => queue.add('add', { index: 1 }, { removeOnComplete: true });
for (let warm = 0; warm < 200; warm += 1) await add();
const stopped = once(process, 'message');
process.send?.('ready');
const times: number[] = [];
let ends = false;
void stopped.then(() => (ends = true));
while (!ends) {
  const began = performance.now();
  await add();
  times.push(performance.now() - began);
  await pause(2 + 6 * Math.random());
}
await queue.close();
process.send?.(times);
process.disconnect();
