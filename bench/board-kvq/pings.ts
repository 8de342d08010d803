/** A process that sends `PING` to the port of Redis in its argument until it is told to stop, and tells the longest wait. */

import { once } from 'node:events';
import { Redis } from 'ioredis';

const client = new Redis({ port: Number(process.argv[2]), host: '127.0.0.1' });
await client.ping();
const stopped = once(process, 'message');
process.send?.('ready');
let [longest, ends] = [0, false];
void stopped.then(() => (ends = true));
while (!ends) {
  const began = performance.now();
  await client.ping();
  longest = Math.max(longest, performance.now() - began);
}
client.disconnect();
process.send?.(longest);
process.disconnect();
