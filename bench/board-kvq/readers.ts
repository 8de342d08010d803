/** A process of readers: fetches the targets in its arguments, so many at a time, until it is told to stop. */

import { once } from 'node:events';

const [origin = '', count = '1', ...paths] = process.argv.slice(2);
const stopped = once(process, 'message');
let [ends, answers, bytes] = [false, 0, 0];
const statuses = new Map<number, number>();
void stopped.then(() => (ends = true));

async function read(index: number): Promise<void> {
  while (!ends) {
    const answer = await fetch(`${origin}${paths[index % paths.length] ?? ''}`);
    const body = await answer.arrayBuffer();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    answers += 1;
    bytes += body.byteLength;
    if (answer.status === 503) await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

process.send?.('ready');
await Promise.all(Array.from({ length: Number(count) }, (_none, index) => read(index)));
process.send?.({ answers, bytes, statuses: Object.fromEntries(statuses) });
process.disconnect();
